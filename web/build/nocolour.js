/**
 * In place of @kurkle/color, which Chart.js takes along to mix colours for hovering and for animations. The charts have
 * neither, and each colour comes from the design tokens as it is.
 */
export class Color {
  constructor() {
    throw new Error("Chart.js wants to mix colours: web/build/nocolour.js has left that out");
  }
}

/** From an empty process to GELU of 1000 numbers, with this library. */
import { loadGelu } from "../../../dist/lib/gelu.js";
import { check, xs } from "./xs.mjs";

const gelu = await loadGelu();
check(gelu.evaluate("gelu", xs));

/** The workers of a figure: started when first asked for, and anew after they were sent away. */

/** @typedef {import("./networks.js").Remote} Remote */

/**
 * @param {() => Promise<import("./networks.js").Networks>} networks
 * @param {number} count of workers, at most
 */
export function createCrew(networks, count) {
  /** @type {Promise<Remote[]> | null} */
  let crew = null;
  return {
    gather() {
      crew ??= networks().then(({ remotes }) => remotes(count));
      const own = crew;
      own.catch(() => {
        if (crew === own) crew = null;
      });
      return own;
    },

    /** With all that they hold: when they have nothing to do for long, and after a failure, for it may be theirs. */
    dismiss() {
      crew?.then(
        (remotes) => {
          for (const remote of remotes) remote.end();
        },
        () => {},
      );
      crew = null;
    },
  };
}

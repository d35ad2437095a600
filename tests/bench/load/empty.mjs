/** Nothing: what starting Node costs. */

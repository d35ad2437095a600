/**
 * Takes off Object.prototype what an extension has put there before the page began: it would turn up in every object of the
 * page and of the libraries in it, as an option that nobody has set, or as a setter that takes away what is written.
 */
const OWN = /^(constructor|toString|toLocaleString|valueOf|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|__\w+__)$/;

for (const key of Reflect.ownKeys(Object.prototype))
  if (typeof key === "symbol" || !OWN.test(key)) Reflect.deleteProperty(Object.prototype, key);

/** ONNX models, written by hand: the few fields of onnx.proto3 that these graphs need. */

/** A number as protobuf writes it: seven bits a byte, the lowest first. */
function varint(/** @type {number} */ value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}

const VARINT = 0;
const BYTES = 2;

const number = (/** @type {number} */ field, /** @type {number} */ value) => [...varint(field * 8 + VARINT), ...varint(value)];

/** @param {number} field @param {number[] | string} content the bytes of a message, or a text */
function nested(field, content) {
  const bytes = typeof content === "string" ? [...new TextEncoder().encode(content)] : content;
  return [...varint(field * 8 + BYTES), ...varint(bytes.length), ...bytes];
}

const FLOAT = 1;
const STRING = 3;
/** With version 20 Gelu became an operator of its own. */
const OPSET = 20;

/** A float32 vector or matrix of any size. */
function anySize(/** @type {string} */ name, /** @type {number} */ rank) {
  const shape = ["rows", "columns"].slice(0, rank).flatMap((axis) => nested(1, nested(2, axis)));
  const tensor = [...number(1, FLOAT), ...nested(2, shape)];
  return [...nested(1, name), ...nested(2, nested(1, tensor))];
}

/** @typedef {{ name: string, dims: number[], values: Float32Array }} Constant */

/** @param {Constant} constant */
function constantBytes({ name, dims, values }) {
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return [...dims.flatMap((dim) => number(1, dim)), ...number(2, FLOAT), ...nested(8, name), ...nested(9, [...raw])];
}

/** @param {{ op: string, from: string[], to: string, attributes?: Record<string, string> }} node */
function nodeBytes({ op, from, to, attributes = {} }) {
  return [
    ...from.flatMap((name) => nested(1, name)),
    ...nested(2, to),
    ...nested(4, op),
    ...Object.entries(attributes).flatMap(([name, value]) =>
      nested(5, [...nested(1, name), ...nested(4, value), ...number(20, STRING)]),
    ),
  ];
}

/**
 * A model from "x" to "y", vectors or matrices by their rank.
 * @param {{ op: string, from: string[], to: string, attributes?: Record<string, string> }[]} nodes
 * @param {Constant[]} [constants]
 */
export function model(nodes, rank = 1, constants = []) {
  const graph = [
    ...nodes.flatMap((node) => nested(1, nodeBytes(node))),
    ...nested(2, "bench"),
    ...constants.flatMap((constant) => nested(5, constantBytes(constant))),
    ...nested(11, anySize("x", rank)),
    ...nested(12, anySize("y", rank)),
  ];
  const irVersion = 9;
  return Uint8Array.from([...number(1, irVersion), ...nested(7, graph), ...nested(8, number(2, OPSET))]);
}

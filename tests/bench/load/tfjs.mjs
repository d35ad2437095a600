/** From an empty process to GELU of 1000 numbers, with TensorFlow.js on its wasm backend. Its size is that of this file. */
import { add, erf, mul, ready, setBackend, tensor1d } from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-wasm";
import { check, xs } from "./xs.mjs";

await setBackend("wasm");
await ready();
const x = tensor1d(xs);
check(mul(mul(x, 0.5), add(erf(mul(x, Math.SQRT1_2)), 1)).dataSync());

/** From an empty process to GELU of 1000 numbers, with onnxruntime-web on its wasm backend. */
import * as ort from "onnxruntime-web/wasm";
import { model } from "../onnx.js";
import { check, xs } from "./xs.mjs";

ort.env.wasm.numThreads = 1;
const session = await ort.InferenceSession.create(model([{ op: "Gelu", from: ["x"], to: "y" }]), {
  executionProviders: ["wasm"],
});
check((await session.run({ x: new ort.Tensor("float32", xs, [xs.length]) })).y.data);

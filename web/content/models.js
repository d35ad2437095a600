/**
 * Which well-known model uses which activation, and in which form: every row as its own source has it.
 *
 * `activation` is an id of the catalogue; `gated`: it opens the way for a second projection, (act(xW) ⊙ xV)W₂.
 * A model whose code and ports differ has a row for each.
 *
 * @typedef {"encoder" | "decoder" | "encoder-decoder" | "vision" | "vision-language" | "other"} Kind
 * @typedef {{
 *   name: string, year: number, kind: Kind,
 *   activation: "gelu" | "gelu_tanh" | "gelu_sigmoid" | "relu" | "silu", gated: boolean,
 *   note: { zh: string, en: string }, source: { text: string, url: string },
 * }} Model
 */

/** @type {readonly Model[]} in order of year */
export const models = [
  {
    name: "Transformer",
    year: 2017,
    kind: "encoder-decoder",
    activation: "relu",
    gated: false,
    note: {
      zh: "最初的 Transformer：两层线性变换，中间夹一个 ReLU。",
      en: "The first Transformer: two linear maps with a ReLU between them.",
    },
    source: { text: "Vaswani et al., §3.3", url: "https://arxiv.org/abs/1706.03762" },
  },
  {
    name: "GPT",
    year: 2018,
    kind: "decoder",
    activation: "gelu_tanh",
    gated: false,
    note: { zh: "BERT 说自己跟随的就是它。", en: "The one that BERT says it follows." },
    source: {
      text: "finetune-transformer-lm/train.py",
      url: "https://github.com/openai/finetune-transformer-lm/blob/master/train.py",
    },
  },
  {
    name: "BERT (2018-10)",
    year: 2018,
    kind: "encoder",
    activation: "gelu",
    gated: false,
    note: {
      zh: "最早公布的代码用 erf；链接是改掉它的那次提交。",
      en: "The code as first published used erf; the link is the commit that replaced it.",
    },
    source: {
      text: "bert@bee6030",
      url: "https://github.com/google-research/bert/commit/bee6030e31e42a9394ac567da170a89a98d2062f",
    },
  },
  {
    name: "BERT, PyTorch",
    year: 2018,
    kind: "encoder",
    activation: "gelu",
    gated: false,
    note: {
      zh: 'Hugging Face 的移植沿用最早的 erf：hidden_act="gelu"。',
      en: 'Hugging Face’s port has kept the erf of the beginning: hidden_act="gelu".',
    },
    source: {
      text: "configuration_bert.py",
      url: "https://github.com/huggingface/transformers/blob/main/src/transformers/models/bert/configuration_bert.py",
    },
  },
  {
    name: "BERT (2019-02)",
    year: 2019,
    kind: "encoder",
    activation: "gelu_tanh",
    gated: false,
    note: { zh: "同一个仓库，此后是 tanh 式。", en: "The same repository: the tanh form ever since." },
    source: { text: "bert/modeling.py", url: "https://github.com/google-research/bert/blob/master/modeling.py" },
  },
  {
    name: "GPT-2",
    year: 2019,
    kind: "decoder",
    activation: "gelu_tanh",
    gated: false,
    note: { zh: "要载入它的权重，就得用 tanh 式。", en: "To load its weights, use the tanh form." },
    source: { text: "gpt-2/src/model.py", url: "https://github.com/openai/gpt-2/blob/master/src/model.py" },
  },
  {
    name: "RoBERTa",
    year: 2019,
    kind: "encoder",
    activation: "gelu",
    gated: false,
    note: { zh: "先转成 float32，再调 PyTorch 的精确 gelu。", en: "Cast to float32, then PyTorch’s exact gelu." },
    source: {
      text: "fairseq/modules/gelu.py",
      url: "https://github.com/facebookresearch/fairseq/blob/main/fairseq/modules/gelu.py",
    },
  },
  {
    name: "T5 v1.0",
    year: 2019,
    kind: "encoder-decoder",
    activation: "relu",
    gated: false,
    note: { zh: "v1.1 的配置里写明：GEGLU 换下的是 ReLU。", en: "The file of v1.1 says what its GEGLU took the place of: ReLU." },
    source: {
      text: "t5.1.1.base.gin",
      url: "https://github.com/google-research/text-to-text-transfer-transformer/blob/main/t5/models/gin/models/t5.1.1.base.gin",
    },
  },
  {
    name: "T5 v1.1",
    year: 2020,
    kind: "encoder-decoder",
    activation: "gelu_tanh",
    gated: true,
    note: {
      zh: "GEGLU，隐藏宽度相应缩到三分之二；gated-gelu 对应 gelu_new。",
      en: "GEGLU, with two thirds of the hidden width; gated-gelu stands for gelu_new.",
    },
    source: {
      text: "configuration_t5.py",
      url: "https://github.com/huggingface/transformers/blob/main/src/transformers/models/t5/configuration_t5.py",
    },
  },
  {
    name: "ViT, JAX",
    year: 2020,
    kind: "vision",
    activation: "gelu_tanh",
    gated: false,
    note: {
      zh: "nn.gelu 不加参数，也就是 Flax 的默认：tanh 式。",
      en: "nn.gelu without an argument, which in Flax is the tanh form.",
    },
    source: {
      text: "vit_jax/models_vit.py",
      url: "https://github.com/google-research/vision_transformer/blob/main/vit_jax/models_vit.py",
    },
  },
  {
    name: "ViT, PyTorch",
    year: 2021,
    kind: "vision",
    activation: "gelu",
    gated: false,
    note: {
      zh: 'Hugging Face 的移植：hidden_act="gelu"，精确值。',
      en: 'Hugging Face’s port: hidden_act="gelu", the exact one.',
    },
    source: {
      text: "configuration_vit.py",
      url: "https://github.com/huggingface/transformers/blob/main/src/transformers/models/vit/configuration_vit.py",
    },
  },
  {
    name: "CLIP",
    year: 2021,
    kind: "vision-language",
    activation: "gelu_sigmoid",
    gated: false,
    note: { zh: "OpenAI 的代码叫它 QuickGELU：x·σ(1.702x)。", en: "QuickGELU in OpenAI’s code: x·σ(1.702x)." },
    source: { text: "CLIP/clip/model.py", url: "https://github.com/openai/CLIP/blob/main/clip/model.py" },
  },
  {
    name: "MLP-Mixer",
    year: 2021,
    kind: "vision",
    activation: "gelu_tanh",
    gated: false,
    note: { zh: "没有注意力，两种 MLP 都用 nn.gelu。", en: "No attention; both kinds of MLP use nn.gelu." },
    source: {
      text: "vit_jax/models_mixer.py",
      url: "https://github.com/google-research/vision_transformer/blob/main/vit_jax/models_mixer.py",
    },
  },
  {
    name: "Swin",
    year: 2021,
    kind: "vision",
    activation: "gelu",
    gated: false,
    note: { zh: "act_layer=nn.GELU，PyTorch 的默认。", en: "act_layer=nn.GELU, PyTorch’s default." },
    source: {
      text: "swin_transformer.py",
      url: "https://github.com/microsoft/Swin-Transformer/blob/main/models/swin_transformer.py",
    },
  },
  {
    name: "ConvNeXt",
    year: 2022,
    kind: "vision",
    activation: "gelu",
    gated: false,
    note: {
      zh: "卷积网络，块的样子却学 Transformer：d → 4d → d。",
      en: "A convolutional network with blocks built like a Transformer’s: d → 4d → d.",
    },
    source: { text: "models/convnext.py", url: "https://github.com/facebookresearch/ConvNeXt/blob/main/models/convnext.py" },
  },
  {
    name: "OPT",
    year: 2022,
    kind: "decoder",
    activation: "relu",
    gated: false,
    note: { zh: "到了 2022 年，仍有大语言模型用 ReLU。", en: "A large language model of 2022, and still ReLU." },
    source: {
      text: "configuration_opt.py",
      url: "https://github.com/huggingface/transformers/blob/main/src/transformers/models/opt/configuration_opt.py",
    },
  },
  {
    name: "PaLM",
    year: 2022,
    kind: "decoder",
    activation: "silu",
    gated: true,
    note: { zh: "SwiGLU，隐藏宽度仍是 4d。", en: "SwiGLU, and still 4d wide." },
    source: { text: "Chowdhery et al., §2", url: "https://arxiv.org/abs/2204.02311" },
  },
  {
    name: "Whisper",
    year: 2022,
    kind: "encoder-decoder",
    activation: "gelu",
    gated: false,
    note: {
      zh: "听写语音；卷积之后 F.gelu，前馈层 nn.GELU()，都是精确式。",
      en: "Speech to text; F.gelu after convolutions, nn.GELU() in the feed-forward layers: both exact.",
    },
    source: { text: "whisper/model.py", url: "https://github.com/openai/whisper/blob/main/whisper/model.py" },
  },
  {
    name: "LLaMA",
    year: 2023,
    kind: "decoder",
    activation: "silu",
    gated: true,
    note: { zh: "SwiGLU，宽度取 4d 的三分之二。", en: "SwiGLU, two thirds of 4d wide." },
    source: { text: "llama/model.py", url: "https://github.com/meta-llama/llama/blob/main/llama/model.py" },
  },
  {
    name: "Gemma",
    year: 2024,
    kind: "decoder",
    activation: "gelu_tanh",
    gated: true,
    note: { zh: 'GeGLU，写明 approximate="tanh"。', en: 'GeGLU, with approximate="tanh" spelt out.' },
    source: { text: "gemma_pytorch/gemma/model.py", url: "https://github.com/google/gemma_pytorch/blob/main/gemma/model.py" },
  },
];

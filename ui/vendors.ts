/** A vendor as people see it. */
interface ShownVendor {
  readonly id: string
  readonly label: string
  readonly color: 1 | 2 | 3 | 4
  /** What else people call it, beside id and label: its products, their Chinese names in pinyin and its initials. */
  readonly words: readonly string[]
  /** Its models talk: it stands on the landing page and in every chart's legend. */
  readonly talks: boolean
}

/** How vendors are called and coloured, everywhere the same and in this order: OpenAI jade, Claude ochre, Gemini indigo, Cohere rose. Any other is grey. */
export const VENDORS = [
  { id: 'openai', label: 'OpenAI', color: 1, words: ['chatgpt', 'gpt'], talks: true },
  { id: 'anthropic', label: 'Claude', color: 2, words: ['kelaode', 'kld'], talks: true },
  { id: 'google', label: 'Gemini', color: 3, words: ['guge', 'gg', 'shuangzizuo'], talks: true },
  { id: 'cohere', label: 'Cohere', color: 4, words: [], talks: false },
] as const satisfies readonly ShownVendor[]

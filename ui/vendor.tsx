/** A vendor as people see it. */
interface ShownVendor {
  readonly id: string
  readonly label: string
  readonly color: 1 | 2 | 3 | 4
  /** What else people call it: its products, their Chinese names in pinyin and its initials. */
  readonly words: readonly string[]
  /** Its models talk: it stands on the landing page and in every chart's legend. */
  readonly talks: boolean
}

/** How vendors are called and coloured, everywhere the same and in this order: OpenAI jade, Claude ochre, Gemini indigo, Cohere rose. Any other is grey. */
export const VENDORS = [
  { id: 'openai', label: 'OpenAI', color: 1, words: ['openai', 'chatgpt', 'gpt'], talks: true },
  { id: 'anthropic', label: 'Claude', color: 2, words: ['anthropic', 'claude', 'kelaode', 'kld'], talks: true },
  { id: 'google', label: 'Gemini', color: 3, words: ['google', 'gemini', 'guge', 'gg', 'shuangzizuo'], talks: true },
  { id: 'cohere', label: 'Cohere', color: 4, words: ['cohere'], talks: false },
] as const satisfies readonly ShownVendor[]
const dots = { 1: 'bg-chart-1', 2: 'bg-chart-2', 3: 'bg-chart-3', 4: 'bg-chart-4', 8: 'bg-chart-8' }

/** The chart colour of a vendor as the price list names it. */
export function vendorColor(vendor: string): 1 | 2 | 3 | 4 | 8 {
  return VENDORS.find(({ id }) => id === vendor)?.color ?? 8
}

export function VendorDot({ vendor, className = '' }: { readonly vendor: string; readonly className?: string }) {
  return <span className={`inline-block size-2 shrink-0 rounded-full ${dots[vendorColor(vendor)]} ${className}`} aria-hidden="true" />
}

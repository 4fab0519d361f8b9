/**
 * The help centre's sections and the order of their articles. Each slug has `help/content/<language>/<slug>.md` in every
 * language; `npm run check texts` names what is missing.
 */
export const HELP_SECTIONS = [
  { id: 'start', articles: ['quick-start', 'api-keys', 'base-urls', 'glossary'] },
  { id: 'calling', articles: ['any-model', 'streaming', 'tools', 'images-audio', 'realtime', 'errors', 'key-limits', 'rate-limits'] },
  { id: 'money', articles: ['pricing', 'quote', 'alerts', 'disconnects', 'recharge', 'auto-recharge', 'payment-problems', 'unionpay', 'refunds', 'invoices'] },
  {
    id: 'clients',
    articles: ['claude-code', 'codex', 'gemini-cli', 'cc-switch', 'cherry-studio', 'cursor', 'cline', 'open-webui', 'lobechat', 'dify'],
  },
  { id: 'account', articles: ['sign-in', 'account-security', 'payment-password', 'delete-and-export', 'privacy'] },
  { id: 'tutorials', articles: ['in-app-browsers', 'us-apple-id', 'app-store-subscriptions', 'payment-links', 'remote-login', 'virtual-card', 'card-binding'] },
  { id: 'more', articles: ['faq'] },
] as const

export type HelpSlug = (typeof HELP_SECTIONS)[number]['articles'][number]

/** Every article in reading order. */
export const HELP_SLUGS: readonly HelpSlug[] = HELP_SECTIONS.flatMap((section) => [...section.articles])

/** Articles listed first on start pages and in empty searches. */
export const HELP_POPULAR: readonly HelpSlug[] = ['quick-start', 'base-urls', 'claude-code', 'payment-problems', 'pricing', 'errors']

export function isHelpSlug(text: string): text is HelpSlug {
  return (HELP_SLUGS as readonly string[]).includes(text)
}

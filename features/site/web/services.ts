/** One thing that is sold, or will be. Texts: `svc_<id>`, `svc_<id>_body`, `svc_<id>_time`. */
export interface Service {
  readonly id: 'api' | 'chatgpt' | 'card' | 'upgrade' | 'registration' | 'sms' | 'mail' | 'browser'
  readonly zone: 'independent' | 'card' | 'openai' | 'tool'
  /** Relative to this site's root (product.md 1.1); a service without one is not open yet. */
  readonly to?: '/api' | '/card' | '/gpt-plus-share' | '/gpt-upgrade' | '/sms'
  /** What its button says: apply for the API, open the chat. */
  readonly action?: 'svc_apply' | 'svc_chat'
}

/** A service opens by getting its path here. */
export const services: readonly Service[] = [
  { id: 'api', zone: 'independent', to: '/api', action: 'svc_apply' },
  { id: 'chatgpt', zone: 'independent', to: '/gpt-plus-share', action: 'svc_chat' },
  { id: 'card', zone: 'card', to: '/card' },
  { id: 'upgrade', zone: 'openai', to: '/gpt-upgrade' },
  { id: 'registration', zone: 'openai' },
  { id: 'sms', zone: 'tool', to: '/sms' },
  { id: 'mail', zone: 'tool' },
  { id: 'browser', zone: 'tool' },
]

import type { Widget } from './port.ts'

/** Each vendor's browser half is loaded with its script; our own conversation is not among them. */
const widgets: Readonly<Record<string, () => Promise<Widget>>> = {
  intercom: () => import('./intercom.ts').then((m) => m.intercom),
  chatwoot: () => import('./chatwoot.ts').then((m) => m.chatwoot),
}

/** Undefined: the conversation is our own. */
export function findWidgetLoader(provider: string): (() => Promise<Widget>) | undefined {
  return Object.hasOwn(widgets, provider) ? widgets[provider] : undefined
}

import type { Widget } from './port.ts'

/** Browser halves of the vendors, each loaded with its script; our own conversation has none. */
const widgets: Readonly<Record<string, () => Promise<Widget>>> = {
  intercom: () => import('./intercom.ts').then((m) => m.intercom),
  chatwoot: () => import('./chatwoot.ts').then((m) => m.chatwoot),
}

/** Returns undefined for our own conversation. */
export function findWidgetLoader(provider: string): (() => Promise<Widget>) | undefined {
  return Object.hasOwn(widgets, provider) ? widgets[provider] : undefined
}

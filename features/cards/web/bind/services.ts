import type { CardRow } from '../../contract.ts'

/** Whose checkout has a page of its own here. `least`: the plan and the charge that tests the card. */
export const BIND_SERVICES = [
  { id: 'chatgpt', name: 'ChatGPT', url: 'https://chatgpt.com', least: '25', type: 'standard' },
  { id: 'claude', name: 'Claude', url: 'https://claude.ai', least: '25', type: 'standard' },
  { id: 'cursor', name: 'Cursor', url: 'https://cursor.com', least: '25', type: 'standard' },
  { id: 'midjourney', name: 'Midjourney', url: 'https://www.midjourney.com', least: '15', type: 'standard' },
  { id: 'netflix', name: 'Netflix', url: 'https://www.netflix.com', least: '25', type: 'pro' },
] as const
export type BindService = (typeof BIND_SERVICES)[number]

/** True if this card suits the service: by the server's lists first, then by its type. */
export function suitsService({ type, goodFor, notFor }: Pick<CardRow, 'type' | 'goodFor' | 'notFor'>, service: BindService): boolean {
  if (notFor.includes(service.id)) return false
  return goodFor.includes(service.id) || type === service.type
}

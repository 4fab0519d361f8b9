import type { CardRow } from '../../contract.ts'

/** Whose checkout has a page of its own here. `least`: the plan and the charge that tests the card. */
export const SERVICES = [
  { id: 'chatgpt', name: 'ChatGPT', url: 'https://chatgpt.com', least: '25', type: 'standard' },
  { id: 'claude', name: 'Claude', url: 'https://claude.ai', least: '25', type: 'standard' },
  { id: 'cursor', name: 'Cursor', url: 'https://cursor.com', least: '25', type: 'standard' },
  { id: 'midjourney', name: 'Midjourney', url: 'https://www.midjourney.com', least: '15', type: 'standard' },
  { id: 'netflix', name: 'Netflix', url: 'https://www.netflix.com', least: '25', type: 'pro' },
] as const
export type Service = (typeof SERVICES)[number]

/** True if this card suits the service: by the server's lists first, then by its type. */
export function fits({ type, goodFor, notFor }: Pick<CardRow, 'type' | 'goodFor' | 'notFor'>, service: Service): boolean {
  if (notFor.includes(service.id)) return false
  return goodFor.includes(service.id) || type === service.type
}

import type { ShownVendor } from '../port.ts'

export const shown: ShownVendor = {
  id: 'anthropic',
  label: 'Claude',
  color: 2,
  words: ['kelaode', 'kld'],
  talks: true,
  example: 'claude-sonnet-5-5',
  clients: ['anthropic', 'claude-code'],
  everyday: 2,
}

import type { ShownVendor } from '../port.ts'

export const shown: ShownVendor = {
  id: 'openai',
  label: 'OpenAI',
  color: 1,
  words: ['chatgpt', 'gpt'],
  talks: true,
  example: 'gpt-6.2-sol',
  clients: ['curl', 'python', 'node', 'codex'],
}

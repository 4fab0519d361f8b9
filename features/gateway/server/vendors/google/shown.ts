import type { ShownVendor } from '../port.ts'

export const shown: ShownVendor = {
  id: 'google',
  label: 'Gemini',
  color: 3,
  words: ['guge', 'gg', 'shuangzizuo'],
  talks: true,
  example: 'gemini-3.8-flash',
  clients: ['genai', 'gemini-cli'],
}

import type { ShownVendor } from '../port.ts'

export const shown: ShownVendor = { id: 'cohere', label: 'Cohere', color: 4, words: [], talks: false }

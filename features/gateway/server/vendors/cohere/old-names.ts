import type { OldNames } from '../port.ts'

export const oldNames: OldNames = {
  named: { 'rerank-v5.0-fast': ['rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0', 'rerank-english-v2.0', 'rerank-multilingual-v2.0'] },
}

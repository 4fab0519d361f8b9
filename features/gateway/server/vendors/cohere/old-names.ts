import type { OldModelNames } from '../port.ts'

export const cohereOldNames: OldModelNames = {
  named: { 'rerank-v5.0-fast': ['rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0', 'rerank-english-v2.0', 'rerank-multilingual-v2.0'] },
}

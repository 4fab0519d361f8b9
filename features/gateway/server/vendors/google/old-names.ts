import type { OldModelNames } from '../port.ts'

export const googleOldNames: OldModelNames = {
  answered: {
    'gemini-2.5-flash-lite': ['gemini-1.5-flash', 'gemini-1.5-flash-latest', 'gemini-2.0-flash', 'gemini-2.0-flash-exp'],
    'gemini-2.5-flash': ['gemini-pro', 'gemini-1.5-pro', 'gemini-1.5-pro-latest'],
  },
  named: { 'gemini-embedding-2': ['gemini-embedding-001', 'text-embedding-004', 'embedding-001'] },
}

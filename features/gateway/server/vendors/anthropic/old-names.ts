import type { OldModelNames } from '../port.ts'

export const anthropicOldNames: OldModelNames = {
  answered: {
    'claude-haiku-5-5': ['claude-3-haiku-20240307', 'claude-3-5-haiku-20241022', 'claude-3-5-haiku-latest'],
    'claude-sonnet-5-5': [
      'claude-3-5-sonnet-20240620',
      'claude-3-5-sonnet-20241022',
      'claude-3-5-sonnet-latest',
      'claude-3-7-sonnet-20250219',
      'claude-3-7-sonnet-latest',
    ],
    'claude-opus-5-5': ['claude-3-opus-20240229', 'claude-3-opus-latest'],
  },
}

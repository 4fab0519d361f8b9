import type { OldModelNames } from '../port.ts'

export const openaiOldNames: OldModelNames = {
  answered: {
    'gpt-4o-mini': ['gpt-3.5-turbo', 'gpt-3.5-turbo-0125', 'gpt-3.5-turbo-1106', 'gpt-3.5-turbo-16k', 'gpt-35-turbo'],
    'gpt-4.1': ['gpt-4', 'gpt-4-0613', 'gpt-4-turbo', 'gpt-4-turbo-preview', 'gpt-4-1106-preview', 'gpt-4-vision-preview'],
    'omni-moderation-latest': ['text-moderation-latest', 'text-moderation-stable'],
  },
  named: {
    'text-embedding-3-small': ['text-embedding-ada-002'],
    'gpt-image-2': ['dall-e-2', 'dall-e-3'],
  },
}

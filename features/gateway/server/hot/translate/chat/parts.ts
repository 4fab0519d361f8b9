import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import type { MediaPart, MessageTextPart } from '../form.ts'
import { parseMediaUrl } from '../openai-read.ts'
import { hasValue, readRequiredText, readOptionalObject, readObjectList, checkKnownMembers, rejectField, readOptionalText } from '../reading.ts'

/** Content of a Chat message, as parts. */
export function readChatContent(message: Raw, where: string): (MessageTextPart | MediaPart)[] {
  const content = message['content']
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content, at: `${where}.content` }]
  if (isRaw(content)) return [partOf(content, `${where}.content`)]
  return readObjectList(message, 'content', where).map((part, at) => partOf(part, `${where}.content[${at}]`))
}

const PART = new Set(['type', 'text', 'refusal', 'image_url', 'input_audio', 'file', 'cache_control'])

function partOf(part: Raw, at: string): MessageTextPart | MediaPart {
  checkKnownMembers(part, at, PART)
  const cache = readOptionalObject(part, 'cache_control', at)
  switch (part['type']) {
    case 'text':
    // The names of Responses, which clients that use both dialects confuse.
    case 'input_text':
    case 'output_text':
      return { kind: 'text', text: readRequiredText(part, 'text', at), at, cache }
    case 'refusal':
      return { kind: 'text', text: readRequiredText(part, 'refusal', at), at, cache }
    case 'image_url':
    case 'input_image': {
      const image =
        typeof part['image_url'] === 'string'
          ? { url: part['image_url'] }
          : (readOptionalObject(part, 'image_url', at) ?? rejectField(`${at}.image_url`, 'is required'))
      return {
        ...parseMediaUrl(readRequiredText(image, 'url', `${at}.image_url`), 'image', `${at}.image_url`, { detail: readOptionalText(image, 'detail', at) }),
        cache,
      }
    }
    case 'input_audio': {
      const audio = readOptionalObject(part, 'input_audio', at) ?? rejectField(`${at}.input_audio`, 'is required')
      const format = readRequiredText(audio, 'format', `${at}.input_audio`)
      return {
        kind: 'audio',
        at,
        mime: format === 'mp3' ? 'audio/mpeg' : `audio/${format}`,
        data: readRequiredText(audio, 'data', `${at}.input_audio`),
        url: undefined,
        cache,
      }
    }
    case 'file': {
      const file = readOptionalObject(part, 'file', at) ?? rejectField(`${at}.file`, 'is required')
      if (hasValue(file, 'file_id')) return rejectField(`${at}.file.file_id`)
      return {
        ...parseMediaUrl(readRequiredText(file, 'file_data', `${at}.file`), 'document', `${at}.file.file_data`, {
          name: readOptionalText(file, 'filename', at),
        }),
        cache,
      }
    }
    default:
      return rejectField(`${at}.type`)
  }
}

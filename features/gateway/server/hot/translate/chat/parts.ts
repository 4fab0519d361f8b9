import { isRaw } from '../../usage/usage.ts'
import type { Raw } from '../../usage/usage.ts'
import type { MediaPart, TextPart } from '../form.ts'
import { mediaFrom } from '../openai-read.ts'
import { has, mustText, object, objects, only, refuse, text } from '../reading.ts'

/** Content of a Chat message, as parts. */
export function contentOf(message: Raw, where: string): (TextPart | MediaPart)[] {
  const content = message['content']
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content, at: `${where}.content` }]
  if (isRaw(content)) return [partOf(content, `${where}.content`)]
  return objects(message, 'content', where).map((part, at) => partOf(part, `${where}.content[${at}]`))
}

const PART = new Set(['type', 'text', 'refusal', 'image_url', 'input_audio', 'file', 'cache_control'])

function partOf(part: Raw, at: string): TextPart | MediaPart {
  only(part, at, PART)
  const cache = object(part, 'cache_control', at)
  switch (part['type']) {
    case 'text':
    // The names of Responses, which clients that speak both mix up.
    case 'input_text':
    case 'output_text':
      return { kind: 'text', text: mustText(part, 'text', at), at, cache }
    case 'refusal':
      return { kind: 'text', text: mustText(part, 'refusal', at), at, cache }
    case 'image_url':
    case 'input_image': {
      const image =
        typeof part['image_url'] === 'string' ? { url: part['image_url'] } : (object(part, 'image_url', at) ?? refuse(`${at}.image_url`, 'is required'))
      return { ...mediaFrom(mustText(image, 'url', `${at}.image_url`), 'image', `${at}.image_url`, { detail: text(image, 'detail', at) }), cache }
    }
    case 'input_audio': {
      const audio = object(part, 'input_audio', at) ?? refuse(`${at}.input_audio`, 'is required')
      const format = mustText(audio, 'format', `${at}.input_audio`)
      return {
        kind: 'audio',
        at,
        mime: format === 'mp3' ? 'audio/mpeg' : `audio/${format}`,
        data: mustText(audio, 'data', `${at}.input_audio`),
        url: undefined,
        cache,
      }
    }
    case 'file': {
      const file = object(part, 'file', at) ?? refuse(`${at}.file`, 'is required')
      if (has(file, 'file_id')) return refuse(`${at}.file.file_id`)
      return { ...mediaFrom(mustText(file, 'file_data', `${at}.file`), 'document', `${at}.file.file_data`, { name: text(file, 'filename', at) }), cache }
    }
    default:
      return refuse(`${at}.type`)
  }
}

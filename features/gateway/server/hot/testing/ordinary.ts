import type { GatewayModel } from '../deps.ts'

/** A typical first call of a customer: some hundred bytes, and no cap. Undefined for models that are used over a socket. */
export interface OrdinaryCall {
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const TEXT = 'Explain in a few sentences why the sky is blue at noon and red in the evening, for a reader who is ten years old. '.repeat(4)
const BOUNDARY = 'ordinary'

export function buildOrdinaryCall({ id, kind, dialects }: Pick<GatewayModel, 'id' | 'kind' | 'dialects'>): OrdinaryCall | undefined {
  const json = (path: string, body: object): OrdinaryCall => ({ path, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  if (kind === 'chat') {
    if (dialects.has('gemini-generate')) return json(`/v1beta/models/${id}:generateContent`, { contents: [{ role: 'user', parts: [{ text: TEXT }] }] })
    // Claude's own route requires a cap; as a chat, the request has none either.
    if (dialects.has('openai-chat') || dialects.has('anthropic-messages'))
      return json('/v1/chat/completions', { model: id, messages: [{ role: 'user', content: TEXT }] })
    return json('/v1/responses', { model: id, input: TEXT })
  }
  if (kind === 'embedding')
    return dialects.has('gemini-embed')
      ? json(`/v1beta/models/${id}:embedContent`, { content: { parts: [{ text: TEXT }] } })
      : json('/v1/embeddings', { model: id, input: TEXT })
  if (kind === 'image') return json('/v1/images/generations', { model: id, prompt: TEXT })
  if (kind === 'speech') return json('/v1/audio/speech', { model: id, input: TEXT, voice: 'alloy' })
  if (kind === 'moderation') return json('/v1/moderations', { model: id, input: TEXT })
  if (kind === 'rerank') return json('/v1/rerank', { model: id, query: 'Why is the sky blue?', documents: [TEXT, TEXT] })
  return kind === 'transcription' ? recording(id) : undefined
}

/** 27 seconds at 8 kHz; the values in its header are ASCII, so that it can be sent as text. */
function recording(model: string): OrdinaryCall {
  const samples = 0x035a00
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples, 40)
  const part = (name: string, text: string, more = ''): string => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`
  const file = head.toString('latin1') + 'x'.repeat(samples)
  return {
    path: '/v1/audio/transcriptions',
    body: `${part('model', model)}${part('file', file, '; filename="a.wav"')}--${BOUNDARY}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  }
}

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Dialect, GatewayModel } from '../deps.ts'
import { anUpstream, aModel, TEST_KEY } from '../testing/fake-deps.ts'
import { callLab, openLab, rawSocket, sleep, waitForCondition } from '../testing/lab.ts'
import type { LabAnswer, Lab } from '../testing/lab.ts'

const DIALECTS: readonly Dialect[] = [
  'openai-completions',
  'openai-images',
  'openai-image-edits',
  'openai-speech',
  'openai-transcriptions',
  'openai-translations',
  'openai-moderations',
  'rerank',
]
let lab: Lab
const bySeconds: Partial<GatewayModel> = { kind: 'transcription', dialects: new Set(DIALECTS) }
beforeEach(async () => {
  lab = await openLab({
    model: { kind: 'image', dialects: new Set(DIALECTS) },
    upstreamModel: 'vendor-name',
    limits: { bodyMs: 300, slowReaderMs: 1_500, heldUpMs: 50 },
  })
  const { routes, prices } = lab.models.get('m')!
  lab.models.set(
    's',
    aModel('s', routes, { ...bySeconds, prices: { ...prices, input: 0n, output: 0n, seconds: 100_000_000_000n, characters: 15_000_000_000n } }),
  )
})
afterEach(() => lab.close())

const FORM = 'multipart/form-data; boundary=XyZ'
const part = (name: string, value: string, more = ''): string => `--XyZ\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const form = (...parts: readonly string[]): string => `${parts.join('')}--XyZ--\r\n`
const AUDIO = part('file', 'x'.repeat(9_000), '; filename="../../etc/passwd"')
const send = (path: string, body: string, contentType = 'application/json'): Promise<LabAnswer> =>
  callLab(lab, { path, body, headers: { 'content-type': contentType } })
const json = (more: object): string => JSON.stringify({ model: 'm', ...more })
const error = (answer: LabAnswer): { param: string | null; message: string; code: string | null } => (JSON.parse(answer.body) as { error: never }).error
const ok = (type: string, body: string): void => {
  lab.upstream.answer = (_seen, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\nx-request-id: vendor-7\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
}

describe('requests refused before any dial', () => {
  it.each([
    ['/v1/images/generations', form(part('model', 'm')), FORM, null],
    ['/v1/images/generations', '[]', 'application/json', null],
    ['/v1/images/generations', '{"model":"m","prompt":', 'application/json', null],
    ['/v1/images/generations', '{"prompt":"x"}', 'application/json', 'model'],
    ['/v1/images/generations', '{"model":7}', 'application/json', 'model'],
    ['/v1/images/generations', '{"model":"m","stream":"maybe"}', 'application/json', 'stream'],
    ['/v1/images/generations', '{"model":"m","output_format":"svg","svg":{"model":"gpt-6"}}', 'application/json', 'output_format'],
    ['/v1/images/edits', form(part('model', 'm'), part('model', 'n')), FORM, 'model'],
    ['/v1/images/edits', form(part('model', 'm'), part('n', '1'), part('n', '10')), FORM, 'n'],
    ['/v1/images/edits', form(part('prompt', 'x')), FORM, 'model'],
    ['/v1/images/edits', form(part('model', 'm', '; filename="model"')), FORM, 'model'],
    ['/v1/images/edits', form(part('model', 'm')), 'multipart/form-data', null],
    ['/v1/audio/speech', '{"model":"m"}', 'application/json', 'input'],
    ['/v1/audio/speech', '{"model":"m","input":["a"]}', 'application/json', 'input'],
    ['/v1/audio/speech', json({ input: '字'.repeat(4_097) }), 'application/json', 'input'],
    ['/v1/audio/transcriptions', '{"model":"m"}', 'application/json', 'file'],
    ['/v1/audio/transcriptions', form(part('model', 'm')), FORM, 'file'],
    ['/v1/audio/transcriptions', form(part('model', 'm'), part('file', 'not a file')), FORM, 'file'],
    ['/v1/audio/transcriptions', form(part('model', 'm'), part('file', '', '; filename="a.wav"')), FORM, 'file'],
    ['/v1/audio/transcriptions', form(part('model', 'm'), AUDIO, AUDIO), FORM, 'file'],
    ['/v1/audio/translations', form(part('model', 'm'), AUDIO).slice(0, -6), FORM, null],
    ['/v1/moderations', '{"model":"m"}', 'application/json', 'input'],
    ['/v1/rerank', json({ documents: ['a'] }), 'application/json', 'query'],
    ['/v1/rerank', json({ query: 'q' }), 'application/json', 'documents'],
    ['/v1/rerank', json({ query: 'q', documents: [] }), 'application/json', 'documents'],
    ['/v1/rerank', json({ query: 'q', documents: 'one' }), 'application/json', 'documents'],
    ['/v1/completions', '{"prompt":"x"}', 'application/json', 'model'],
  ])('%s, case %#', async (path, body, type, field) => {
    const answer = await send(path, body, type)
    expect([answer.status, error(answer).param]).toEqual([400, field])
    expect(lab.upstream.seen).toEqual([])
    expect(lab.journal.reserved).toEqual([])
  })

  it.each(['/v1/images/edits', '/v1/audio/transcriptions', '/v1/audio/speech', '/v1/rerank'])('%s: size, key, method and chunks are checked', async (path) => {
    expect((await send(path, 'x'.repeat(1_100_000), FORM)).status).toBe(413)
    expect((await callLab(lab, { path, body: '{}', headers: { authorization: 'Bearer no' } })).status).toBe(401)
    expect((await callLab(lab, { path })).status).toBe(405)
    const socket = rawSocket(lab)
    let got = ''
    socket.on('data', (data) => {
      got += data.toString()
    })
    // A chunk that declares 40 bytes and never arrives.
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-mx-test-key\r\ncontent-type: ${FORM}\r\ntransfer-encoding: chunked\r\n\r\n28\r\n--XyZ\r\n`,
    )
    await waitForCondition(() => got.includes('\r\n\r\n'))
    expect(got).toContain(' 408 ')
    socket.destroy()
    expect(lab.upstream.seen).toEqual([])
  })
})

describe('media calls', () => {
  it('a form is forwarded byte for byte but for the model, with hostile file names untouched', async () => {
    ok('application/json', '{"text":"hi","usage":{"type":"duration","seconds":9}}')
    const body = form(part('prompt', 'a\r\nb'), part('model', 's'), AUDIO)
    const answer = await send('/v1/audio/transcriptions', body, FORM)
    expect(answer.status).toBe(200)
    expect(lab.upstream.seen[0]!.body).toBe(body.replace('\r\ns\r\n', '\r\nvendor-name\r\n'))
    expect(lab.upstream.seen[0]!.head).toContain(`content-type: ${FORM}`)
    expect(lab.journal.settled[0]).toMatchObject({ amount: 900_000n, provenance: 'upstream', inputTokens: 0 })
  })

  it('text without usage is counted from the file, or from its size if its length is unknown', async () => {
    ok('text/plain; charset=utf-8', 'hello\n')
    const answer = await send('/v1/audio/transcriptions', form(part('model', 's'), part('response_format', 'text'), AUDIO), FORM)
    expect([answer.body, answer.headers['content-type']]).toEqual(['hello\n', 'text/plain; charset=utf-8'])
    expect(lab.journal.settled[0]).toMatchObject({ provenance: 'estimated', lines: [{ kind: 'seconds', tokens: 9 }] })
  })

  it('the last byte of a sound waits for its settlement', async () => {
    let settle = (): void => undefined
    lab.journal.settleWith = () => new Promise((resolve) => (settle = resolve))
    ok('audio/mpeg', 'abcdefgh')
    let seen = ''
    const answer = callLab(lab, { path: '/v1/audio/speech', body: { model: 's', input: 'hi', voice: 'x' }, onData: (text) => (seen = text) })
    await waitForCondition(() => lab.journal.settled.length === 1)
    await waitForCondition(() => seen === 'abcdefg')
    settle()
    expect((await answer).body).toBe('abcdefgh')
    expect(lab.journal.settled[0]!.upstreamRequestId).toBe('vendor-7')
  })

  it('a sound that breaks off is cut for the client, and costs nothing', async () => {
    lab.upstream.answer = (_seen, socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: audio/mpeg\r\ncontent-length: 100\r\n\r\nabc')
    }
    const answer = await callLab(lab, { path: '/v1/audio/speech', body: { model: 's', input: 'hi', voice: 'x' } })
    expect([answer.complete, answer.body.length < 4]).toEqual([false, true])
    await waitForCondition(() => lab.journal.released.length === 1)
    expect(lab.journal.settled).toEqual([])
  })

  it.each(['never again', 'before the vendor’s end is seen'])(
    'a sound that the vendor gave up on because it was not read costs what was held; read %s',
    async (read) => {
      const chunk = Buffer.alloc(65_536, 'x')
      let [hasEnded, hasGivenUp] = [false, false]
      lab.upstream.answer = (_seen, socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-type: audio/mpeg\r\ncontent-length: ${chunk.length * 600}\r\n\r\n`)
        // larger than all buffers between here and the client
        for (let n = 0; n < 400; n++) socket.write(chunk)
        setTimeout(() => {
          hasEnded = true
          socket.end(() => (hasGivenUp = true))
        }, 100)
      }
      const client = rawSocket(lab)
      client.pause()
      const body = JSON.stringify({ model: 's', input: 'hi', voice: 'x' })
      client.write(
        `POST /v1/audio/speech HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${TEST_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      await waitForCondition(() => lab.upstream.seen.length === 1)
      if (read !== 'never again') {
        await waitForCondition(() => hasEnded)
        await sleep(200)
        client.resume()
      }
      await waitForCondition(() => lab.journal.settled.length + lab.journal.released.length === 1)
      expect(lab.journal.settled[0]).toMatchObject({ provenance: 'held', amount: lab.journal.settled[0]!.held })
      expect(hasGivenUp).toBe(true)
      client.destroy()
    },
  )

  it('an HTML page in place of a sound is a 502', async () => {
    ok('text/html', '<h1>502</h1>')
    expect((await callLab(lab, { path: '/v1/audio/speech', body: { model: 's', input: 'hi', voice: 'x' } })).status).toBe(502)
  })

  it('the hold covers the most expensive outcome of the requested count, quality and size', async () => {
    ok('application/json', '{"created":1,"data":[],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}')
    const held = async (more: object): Promise<bigint> => {
      await callLab(lab, { path: '/v1/images/generations', body: { model: 'm', prompt: 'x', ...more } })
      return lab.journal.reserved.at(-1)!.held
    }
    const low = await held({ quality: 'low', size: '1024x1024' })
    expect((await held({ quality: 'low', size: '1024x1024', n: 4 })) > low * 3n).toBe(true)
    expect((await held({ quality: 'max', size: '1024x1024' })) > low * 10n).toBe(true)
    const [auto, high] = [await held({}), await held({ quality: 'high', size: '1536x1024' })]
    expect(auto).toBe(high)
    expect((await held({ quality: 'nobody knows', size: '3840x2160' })) > high * 10n).toBe(true)
    expect(await held({ n: 1e9 })).toBe(await held({ n: 10 }))
  })

  it('a model that costs nothing has no hold and no row', async () => {
    ok('application/json', '{"id":"modr","results":[]}')
    lab.models.set(
      'free',
      aModel('free', [{ upstream: anUpstream(lab.upstream.origin), upstreamModel: 'free' }], {
        kind: 'moderation',
        dialects: new Set(DIALECTS),
        prices: {
          ...lab.models.get('m')!.prices,
          input: 0n,
          output: 0n,
          cacheWrite5m: undefined,
          cacheWrite1h: undefined,
          audioInput: undefined,
          audioOutput: undefined,
        },
      }),
    )
    lab.journal.admitAs = 'insufficient_balance'
    expect((await callLab(lab, { path: '/v1/moderations', body: { model: 'free', input: 'x' } })).status).toBe(200)
    expect(lab.journal.events).toEqual([])
  })
})

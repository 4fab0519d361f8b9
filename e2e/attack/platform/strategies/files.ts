import { deflateSync } from 'node:zlib'
import type { Intruder } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

/** Builds a PDF of some kilobytes whose object streams decompress to 20 MB each. */
function buildPdfBomb(streams: number): Buffer {
  const packed = deflateSync(Buffer.alloc(20_000_000, 0x20))
  const dictionary = `<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`
  const bombs = Array.from({ length: streams }, (_, n) =>
    Buffer.concat([Buffer.from(`${n + 10} 0 obj\n${dictionary}`), packed, Buffer.from('\nendstream\nendobj\n')]),
  )
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n'),
    ...bombs,
    Buffer.from('trailer << /Root 1 0 R >>\n%%EOF\n'),
  ])
}

async function upload({ client }: Intruder, file: Buffer): Promise<number> {
  const { data, code } = await client.get('/common/upload/policy', { purpose: 'evidence', type: 'application/pdf', size: file.length })
  if (code !== 200) return code
  const form = new FormData()
  for (const [name, value] of Object.entries(data.fields as Record<string, string>)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(file)], { type: 'application/pdf' }))
  await client.fetch(data.url, { method: 'POST', body: form })
  return (await client.post('/common/upload/done', { filePath: data.filePath })).code
}

/** WebM with the maximum number of tracks and blocks that a parser may visit; quadratic if each block searches for its track. */
function buildWebmBomb(): Buffer {
  const size = (bytes: number): Buffer => {
    const out = Buffer.alloc(8)
    out.writeBigUInt64BE(BigInt(bytes) | (1n << 56n))
    return out
  }
  const element = (id: string, body: Buffer): Buffer => Buffer.concat([Buffer.from(id, 'hex'), size(body.length), body])
  const track = element('ae', Buffer.alloc(0))
  const tracks = element('1654ae6b', Buffer.concat(Array.from({ length: 60_000 }, () => track)))
  // blocks refer to track 1, which does not exist
  const block = Buffer.from('a3858100008000', 'hex')
  const cluster = element('1f43b675', Buffer.concat([Buffer.from('e78100', 'hex'), ...Array.from({ length: 95_000 }, () => block)]))
  return Buffer.concat([element('1a45dfa3', Buffer.from('4282847765626d', 'hex')), element('18538067', Buffer.concat([tracks, cluster]))])
}

/** Polls the health page until `isOver`, and counts replies slower than the time limit of a card authorisation. */
async function countSlowAnswers(site: string, isOver: () => boolean): Promise<{ asked: number; slow: number }> {
  const count = { asked: 0, slow: 0 }
  while (!isOver()) {
    const began = performance.now()
    await fetch(`${site}/healthz`).catch(() => undefined)
    count.asked++
    if (performance.now() - began > MAX_ANSWER_MS) count.slow++
    await new Promise((done) => setTimeout(done, 20))
  }
  return count
}
/** An issuer waits two seconds for the reply to a card authorisation. */
const MAX_ANSWER_MS = 2_000

async function run({ intruder, must, needs, platform }: StrategyTools): Promise<void> {
  const attackers = await Promise.all([intruder(5), intruder(5)])
  const site = platform.product.siteUrl
  let isOver = false
  const watching = countSlowAnswers(site, () => isOver)
  const { data: made } = await attackers[0]!.client.post('/reward/gptForward/apply')
  needs('a key', typeof made?.apiKey === 'string', made)
  const speak = async (): Promise<number> => {
    const form = new FormData()
    form.append('model', 'gpt-4o-mini-transcribe')
    form.append('file', new Blob([new Uint8Array(buildWebmBomb())], { type: 'audio/webm' }), 'a.webm')
    return (await fetch(`${site}/v1/audio/transcriptions`, { method: 'POST', headers: { authorization: `Bearer ${made.apiKey}` }, body: form })).status
  }
  const [pdf, deep] = [buildPdfBomb(200), buildPdfBomb(40)]
  // a request without a reply does not stop the attack: the watch counts it
  const sent = [...attackers.flatMap((one) => [upload(one, pdf), upload(one, deep)]), speak(), speak()]
  const outcomes = await Promise.all(sent.map((each) => each.catch(() => 0)))
  isOver = true
  const { asked, slow } = await watching
  must('hostile documents and sound stop the server', slow === 0, { asked, slow, outcomes })
  must(
    'a hostile document is kept',
    outcomes.slice(0, 4).every((code) => code !== 200),
    outcomes,
  )
}

/** Patterns on which a backtracking matcher takes exponential time, sent to the mock of a vendor that honours a schema. */
const PATTERNS = ['^(a+)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '^(x+x+)+y$', '^(.*)*$', '(?=(a+))a*b\\1', '^((a{0,99}){0,99}){0,99}$', '^(a|a)*$']

async function trySlowPatterns({ intruder, must, needs, platform }: StrategyTools): Promise<void> {
  const one = await intruder(5)
  const { data: made } = await one.client.post('/reward/gptForward/apply')
  const site = platform.product.siteUrl
  let isOver = false
  const watching = countSlowAnswers(site, () => isOver)
  const ask = async (pattern: string): Promise<number> => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern } }, required: ['a'], additionalProperties: false }
    const format = { type: 'json_schema', json_schema: { name: 'a', schema, strict: true } }
    const body = { model: 'gpt-4o-mini', max_tokens: 50, messages: [{ role: 'user', content: 'a' }], response_format: format }
    const headers = { 'authorization': `Bearer ${made.apiKey}`, 'content-type': 'application/json' }
    return (await fetch(`${site}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  const statuses = await Promise.all(PATTERNS.map((pattern) => ask(pattern).catch(() => 0)))
  isOver = true
  const { asked, slow } = await watching
  must('a pattern stops the server', slow === 0, { asked, slow, statuses })
  if (slow === 0) needs('a pattern that is answered', statuses.includes(200), statuses)
}

export const FILE_STRATEGIES: readonly PlatformStrategy[] = [
  { name: 'hostile-patterns', tries: 'regular expressions of exponential time in the schema of an answer', run: trySlowPatterns },
  { name: 'hostile-files', tries: 'documents of large object streams and sound of too many tracks, while the server must answer', run },
]

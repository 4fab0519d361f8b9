import type { Ask, Tool } from './ask.ts'
import type { Filling } from './schema.ts'

const ASKS_FOR_A_TOOL = /\b(tools?|functions?|call|use|look up|search)\b|工具|调用|函数|查询|查一下|搜索/i
const ASKS_FOR_SEVERAL = /\b(parallel|both|each|at once)\b|并行|同时|分别/i

/** Which tools the sandbox calls: forced by tool_choice, or when the question mentions the tool or tools in general. */
export function chooseTools(ask: Ask, seed: number): readonly Tool[] {
  if (ask.toolChoice === 'none' || !ask.tools.length) return []
  const named = typeof ask.toolChoice === 'string' ? undefined : ask.toolChoice
  const allowed = named ? ask.tools.filter((tool) => named.includes(tool.name)) : ask.tools
  const mentioned = allowed.filter((tool) => mentions(ask.question, tool))
  const wanted = mentioned.length
    ? mentioned
    : ask.toolChoice !== 'auto' || ASKS_FOR_A_TOOL.test(ask.question)
      ? [allowed[seed % Math.max(1, allowed.length)]]
      : []
  const tools = wanted.filter((tool) => tool !== undefined)
  if (!ask.parallelTools || !ASKS_FOR_SEVERAL.test(ask.question) || !tools.length) return tools.slice(0, 1)
  return tools.length > 1 ? tools : [tools[0]!, tools[0]!]
}

function mentions(question: string, tool: Tool): boolean {
  const asked = question.toLowerCase()
  const words = `${tool.name} ${tool.description}`.toLowerCase().match(/[a-z]{4,}/g) ?? []
  if (words.some((word) => !COMMON.has(word) && asked.includes(word))) return true
  const chinese = tool.description.match(/[\u3400-\u9fff]{2,}/g) ?? []
  return chinese.some((run) => pairs(run).some((pair) => !COMMON.has(pair) && asked.includes(pair)))
}

function pairs(run: string): string[] {
  return Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2))
}

const COMMON = new Set([
  'with',
  'from',
  'that',
  'this',
  'what',
  'your',
  'they',
  'have',
  'will',
  'into',
  'tool',
  'function',
  'returns',
  'return',
  'given',
  '一个',
  '返回',
  '获取',
  '指定',
  '当前',
])

/** Words for string fields: proper nouns and quoted words of the question first, else the question itself. */
export function fillingFor(question: string, index: number): Filling {
  const quoted = [...question.matchAll(/["“「']([^"”」']{1,60})["”」']/g)].map((match) => match[1]!)
  const proper = [...question.matchAll(/(?<=\S\s)[A-Z][a-z]+(?:\s[A-Z][a-z]+)*/g)].map((match) => match[0])
  const places = question.match(/北京|上海|广州|深圳|香港|东京|巴黎|伦敦|纽约/g) ?? []
  const words = [...quoted, ...places, ...proper]
  const digits = question.match(/-?\d+(?:\.\d+)?/g) ?? []
  const word = words[index] ?? words[0]
  return {
    question,
    word: (name) => word ?? (question.slice(0, 40) || name),
    number: Number(digits[index] ?? digits[0] ?? index + 1),
  }
}

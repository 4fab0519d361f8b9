import { toList, obj, objects, str, strings, type Json, type JsonObject } from './read/json.ts'
import { valueFor } from './read/schema.ts'
import type { Dialect, PlayedTurn, Tool } from './read/ask.ts'

/**
 * The scripted player: `[[play: step; step; ...]]` in a user message makes the sandbox work with the client's own tools, one
 * step a turn, as a model would that was asked to. Steps name what is to be done, not the tool:
 *
 *   read PATH · write PATH TEXT · run COMMAND · call TOOL {json} · say TEXT      (`a & b`: two calls in one turn)
 *
 * `$sum` is the sum of those lines of the last step's results that are a number. When the script is over, or no tool that is
 * offered can do a step, the sandbox says so.
 */
const SCRIPT = /\[\[play:\s*([^]*?)\]\]/g

/** A message of a person or a tool, oldest first. */
export interface Heard {
  readonly from: 'user' | 'tool'
  readonly text: string
}

/** Undefined where no script is being played, or the request offers no tools (titles, summaries). */
export function playedTurn(heard: readonly Heard[], tools: readonly Tool[]): PlayedTurn | undefined {
  const start = heard.findLastIndex((one) => one.from === 'user' && one.text.includes('[[play:'))
  if (start < 0 || tools.length === 0) return undefined
  const script = [...heard[start]!.text.matchAll(SCRIPT)].at(-1)?.[1]
  if (script === undefined) return undefined
  const results = heard
    .slice(start)
    .filter((one) => one.from === 'tool')
    .map((one) => one.text)
  const steps = script.split(/;\s*/).filter((step) => step.trim() !== '')
  let from = 0
  /** Result of the step before. */
  let last: readonly string[] = []
  for (const step of steps) {
    const parts = step.split(/\s+&\s+/).map((part) => filled(part, last).trim())
    if (parts[0]!.startsWith('say ')) return { calls: [], text: filled(step, last).trim().slice(4) }
    if (results.length < from + parts.length) return turnFor(parts, tools)
    last = results.slice(from, from + parts.length)
    from += parts.length
  }
  return { calls: [], text: `Done. The last result was: ${last.join('\n').slice(0, 400)}` }
}

function turnFor(steps: readonly string[], tools: readonly Tool[]): PlayedTurn {
  const calls = steps.map((step) => resolved(step, tools))
  const missing = steps.find((_, at) => calls[at] === undefined)
  if (missing !== undefined) return { calls: [], text: `None of these tools can do "${missing}": ${tools.map((tool) => tool.name).join(', ')}.` }
  return { calls: calls.filter((call) => call !== undefined), text: '' }
}

/** Lines may be numbered, as files are shown to models. */
function filled(step: string, results: readonly string[]): string {
  if (!step.includes('$sum')) return step
  const lines = results.flatMap((result) => result.split('\n')).map((line) => line.replace(/^\s*\d+(?:→|\t|: ?|\| ?)/, '').trim())
  const sum = lines.reduce((total, line) => total + (/^-?\d+$/.test(line) ? Number(line) : 0), 0)
  return step.replaceAll('$sum', String(sum))
}

/** Arguments by the names that the clients' tools give them. */
const NAMES = {
  path: ['file_path', 'absolute_path', 'path', 'filePath', 'filename'],
  text: ['content', 'contents', 'text', 'file_text'],
  command: ['command', 'cmd', 'script'],
} as const

function resolved(step: string, tools: readonly Tool[]): PlayedTurn['calls'][number] | undefined {
  const [, verb, rest] = /^(\w+)\s+([^]*)$/.exec(step) ?? []
  if (verb === undefined || rest === undefined) return undefined
  const shell = (command: string) => callOf(tools, /^(?:bash|shell|shell_command|exec_command|run_shell_command)$/i, { command })
  const [, first, more] = /^(\S+)\s*([^]*)$/.exec(rest) ?? []
  switch (verb) {
    case 'read':
      return callOf(tools, /^(?:read|read_file)$/i, { path: rest.trim() }) ?? shell(`cat ${quoted(rest.trim())}`)
    case 'write':
      return callOf(tools, /^(?:write|write_file)$/i, { path: first!, text: `${more!}\n` }) ?? shell(`printf '%s\\n' ${quoted(more!)} > ${quoted(first!)}`)
    case 'run':
      return shell(rest)
    case 'call': {
      const tool = tools.find((one) => one.name === first)
      return tool && { tool, args: obj(JSON.parse(more === '' || more === undefined ? '{}' : more) as Json) }
    }
    default:
      return undefined
  }
}

/** The tool by its name, when it takes these things; what else it demands is made up from its schema. */
function callOf(tools: readonly Tool[], name: RegExp, given: Partial<Record<keyof typeof NAMES, string>>): PlayedTurn['calls'][number] | undefined {
  for (const tool of tools.filter((one) => name.test(one.name))) {
    const properties = obj(tool.schema['properties'])
    const args: Record<string, Json | undefined> = {}
    for (const key of strings(tool.schema['required']))
      args[key] = valueFor(properties[key], { question: name.source, word: () => 'The next step.', number: 1 }, key, tool.schema)
    const fits = (Object.keys(given) as (keyof typeof NAMES)[]).every((kind) => {
      const key = NAMES[kind].find((one) => one in properties)
      if (key !== undefined) args[key] = listOf(properties[key]) ? ['bash', '-lc', given[kind]!] : given[kind]!
      return key !== undefined
    })
    if (fits) return { tool, args }
  }
  return undefined
}

const listOf = (schema: Json | undefined): boolean => str(obj(schema)['type'])?.toLowerCase() === 'array'
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Messages of a request in any dialect. Only read if it contains a script. */
export function heardIn(dialect: Dialect, body: JsonObject): readonly Heard[] {
  if (!JSON.stringify(body).includes('[[play:')) return []
  switch (dialect) {
    case 'openai-chat':
      return objects(body['messages']).flatMap((message) =>
        message['role'] === 'tool' ? [tool(textIn(message['content']))] : message['role'] === 'user' ? [user(textIn(message['content']))] : [],
      )
    case 'openai-responses':
      return typeof body['input'] === 'string'
        ? [user(body['input'])]
        : objects(body['input']).flatMap((item) =>
            item['type'] === 'function_call_output' ? [tool(textIn(item['output']))] : item['role'] === 'user' ? [user(textIn(item['content']))] : [],
          )
    case 'anthropic-messages':
      return objects(body['messages']).flatMap((message) => {
        if (message['role'] !== 'user') return []
        const results = objects(message['content']).filter((block) => block['type'] === 'tool_result')
        return [...results.map((block) => tool(textIn(block['content']))), user(textIn(message['content']))]
      })
    case 'gemini-generate':
      return objects(body['contents']).flatMap((content) =>
        content['role'] === 'model'
          ? []
          : objects(content['parts']).map((part) => {
              const response = part['functionResponse'] ?? part['function_response']
              const value = obj(obj(response)['response'])
              return response === undefined ? user(str(part['text']) ?? '') : tool(str(value['output']) ?? str(value['content']) ?? JSON.stringify(value))
            }),
      )
    default:
      return []
  }
}

const user = (text: string): Heard => ({ from: 'user', text })
const tool = (text: string): Heard => ({ from: 'tool', text })

function textIn(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return toList(content)
    .map((part) => (typeof part === 'string' ? part : (str(obj(part)['text']) ?? '')))
    .filter((text) => text !== '')
    .join('\n')
}

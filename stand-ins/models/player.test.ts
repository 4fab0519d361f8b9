import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { obj, objects, str, type JsonObject } from './read/json.ts'
import { playedTurn, type Heard } from './player.ts'
import { startModelStandIn, type RunningModelStandIn } from './test-server.ts'

const properties = { file_path: { type: 'string' }, content: { type: 'string' }, why: { type: 'string' } }
const read = { name: 'read_file', description: '', schema: { type: 'object', properties, required: ['file_path', 'why'] } }
const write = { name: 'Write', description: '', schema: { type: 'object', properties, required: ['file_path', 'content'] } }
const shell = { name: 'exec_command', description: '', schema: { type: 'object', properties: { cmd: { type: 'string' } } } }
const user = (text: string): Heard => ({ from: 'user', text })
const tool = (text: string): Heard => ({ from: 'tool', text })
const SCRIPT = user('Add up. [[play: read /a & read /b; write /s $sum; run ls; say It is $sum.]]')

test('steps follow the results, and what is read is added up', () => {
  const tools = [shell, read, write]
  const told = (...results: readonly string[]) => playedTurn([SCRIPT, ...results.map(tool)], tools)
  expect(told()!.calls.map((call) => call.args['file_path'])).toEqual(['/a', '/b'])
  expect(told()!.calls[0]!.args['why']).toBeTypeOf('string')
  expect(told('1→3\n2→5\n', 'Chunk 7\n34')!.calls).toEqual([{ tool: write, args: { file_path: '/s', content: '42\n' } }])
  expect(told('3', '5', 'ok')!.calls).toEqual([{ tool: shell, args: { cmd: 'ls' } }])
  expect(told('3', '5', 'ok', '8')).toEqual({ calls: [], text: 'It is 8.' })
})

test('a shell alone is enough; a client without suitable tools gets a message', () => {
  expect(playedTurn([SCRIPT], [shell])!.calls.map((call) => call.args)).toEqual([{ cmd: "cat '/a'" }, { cmd: "cat '/b'" }])
  expect(playedTurn([SCRIPT], [write])!.text).toMatch(/None of these tools can do "read \/a": Write/)
  expect(playedTurn([SCRIPT], [])).toBeUndefined()
})

test('the newest script counts, from its own beginning', () => {
  const next = user('[[play: run pwd; say $sum]]')
  expect(playedTurn([SCRIPT, tool('1'), tool('2'), next], [shell])!.calls[0]!.args).toEqual({ cmd: 'pwd' })
  expect(playedTurn([SCRIPT, tool('1'), next, tool('7')], [shell])!.text).toBe('7')
})

describe('in each dialect', () => {
  let box: RunningModelStandIn
  beforeAll(async () => void (box = await startModelStandIn()))
  afterAll(() => box.stop())
  const words = 'Go. [[play: run ls; say Total $sum]]'
  const schema = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] }
  const post = async (path: string, body: unknown): Promise<JsonObject> => {
    const headers = { 'authorization': 'Bearer sandbox', 'anthropic-version': '2023-06-01' }
    return (await (await fetch(box.url + path, { method: 'POST', body: JSON.stringify(body), headers })).json()) as JsonObject
  }
  test.each([
    [
      '/v1/chat/completions',
      (more: readonly unknown[]) => ({
        model: 'm',
        tools: [{ type: 'function', function: { name: 'bash', parameters: schema } }],
        messages: [{ role: 'user', content: words }, ...more],
      }),
      [
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'bash', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', content: '4\n5' },
      ],
    ],
    [
      '/v1/responses',
      (more: readonly unknown[]) => ({
        model: 'm',
        tools: [{ type: 'function', name: 'bash', parameters: schema }],
        input: [{ role: 'user', content: words }, ...more],
      }),
      [
        { type: 'function_call', call_id: 'c', name: 'bash', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: '4\n5' },
      ],
    ],
    [
      '/v1/messages',
      (more: readonly unknown[]) => ({
        model: 'm',
        max_tokens: 99,
        tools: [{ name: 'bash', input_schema: schema }],
        messages: [{ role: 'user', content: words }, ...more],
      }),
      [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'bash', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: '4\n5' }] },
      ],
    ],
    [
      '/v1beta/models/m:generateContent',
      (more: readonly unknown[]) => ({
        tools: [{ functionDeclarations: [{ name: 'bash', parameters: schema }] }],
        contents: [{ role: 'user', parts: [{ text: words }] }, ...more],
      }),
      [
        { role: 'model', parts: [{ functionCall: { name: 'bash', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'bash', response: { output: '4\n5' } } }] },
      ],
    ],
  ] as const)('%s', async (path, body, turns) => {
    expect(JSON.stringify(await post(path, body([])))).toContain('ls')
    expect(JSON.stringify(await post(path, body(turns)))).toContain('Total 9')
  })
  test('without tools it answers as before', async () => {
    const reply = await post('/v1/chat/completions', { model: 'm', messages: [{ role: 'user', content: words }] })
    expect(str(obj(objects(reply['choices'])[0]!['message'])['content'])).toContain('You asked')
  })
})

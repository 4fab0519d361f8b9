import { waitForValue } from '#platform/testing/patience.ts'
import { openRawClient } from '../../sdk/sockets-lab.ts'
import type { RawClient } from '../../sdk/sockets-lab.ts'
import type { RigNode } from './rig.ts'

/**
 * Calls at one node that last for some seconds: whole and streamed, native and translated, of two vendors, and over sockets. Resolves when each has
 * an answer or a broken connection.
 */
export async function sendCallsTo({ server }: RigNode, secret: string): Promise<void> {
  const say = (n: number) => `${n} ${Math.random()} [[sandbox:tokens=60]] [[sandbox:chunk=40]]`
  const call = async (path: string, body: object): Promise<void> => {
    const reply = await fetch(`${server.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(body),
    })
    await reply.text()
  }
  const chat = (model: string, stream: boolean, n: number) =>
    call('/v1/chat/completions', { model, stream, max_tokens: 200, messages: [{ role: 'user', content: say(n) }] })
  const messages = (stream: boolean, n: number) =>
    call('/v1/messages', { model: 'claude-haiku-5-5', stream, max_tokens: 200, messages: [{ role: 'user', content: say(n) }] })
  const port = Number(new URL(server.baseUrl).port)
  await Promise.allSettled([
    ...[chat('gpt-6-luna', true, 1), chat('gpt-6-luna', false, 2), messages(true, 3), messages(false, 4)],
    // translated, and by responses
    ...[chat('claude-haiku-5-5', true, 5), call('/v1/responses', { model: 'gpt-6-luna', stream: true, max_output_tokens: 200, input: say(6) })],
    callOverSocket(
      port,
      secret,
      '/v1/responses',
      [{ type: 'response.create', model: 'gpt-6-luna', input: say(7), max_output_tokens: 200, store: false }],
      'response.completed',
    ),
    callOverSocket(
      port,
      secret,
      '/v1/realtime?model=gpt-realtime-2.1-mini',
      [
        { type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: say(8) }] } },
        { type: 'response.create' },
      ],
      'response.done',
    ),
  ])
}

async function callOverSocket(port: number, secret: string, path: string, events: readonly object[], last: string): Promise<void> {
  const client: RawClient = await openRawClient(port, path, { authorization: `Bearer ${secret}` })
  for (const event of events) client.say(event)
  const isOver = () => client.closed !== undefined || client.frames.some(({ type }) => type === last || type === 'error')
  await waitForValue(() => isOver() || undefined, `the answer at ${path}`)
  client.ws.close()
}

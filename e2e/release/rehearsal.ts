import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { aKey } from '#features/gateway/server/builders.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'

/** A model vendor on this machine with a fixed response, for a server that runs in production. */
export async function startRehearsalVendor(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, reply) => {
    request.resume().on('end', () => {
      const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
      const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'from the vendor' } }]
      reply.setHeader('content-type', 'application/json')
      reply.end(JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-6-luna', choices, usage }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((done) => server.close(() => done())),
  }
}

/** Creates a key of a customer with ten dollars. */
export async function aPayingKey(databaseUrl: string): Promise<string> {
  const db = connect(databaseUrl, { max: 1, asOwner: true })
  const key = await aKey(db, await aFundedUser(db, { userId: createId('user'), purchased: parseUsd('10') }), { name: 'release' })
  await db.close()
  return key.secret
}

export async function callChatModel(gateway: string, key: string): Promise<string> {
  const reply = await fetch(`${gateway}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'hello' }] }),
  })
  return await reply.text()
}

/** Fetches a page as a browser does, and the status of each file that its document references. */
export async function fetchPageWithFiles(url: string): Promise<{ readonly status: number; readonly html: string; readonly files: readonly number[] }> {
  const reply = await fetch(url, { headers: { accept: 'text/html' } })
  const html = await reply.text()
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!)
  const files = await Promise.all(named.map(async (path) => (await fetch(new URL(path, url))).status))
  return { status: reply.status, html, files }
}

import { expect } from 'vitest'
import { createId } from '#platform/shared/ids.ts'

/** Runs a desk command through its dialog. */
export async function runDeskCommand(origin: string, token: string, { name, input }: { readonly name: string; readonly input: object }): Promise<void> {
  const ask = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'operatortoken': token, 'language': 'en', 'idempotency-key': createId('key') }
    return (await (await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as { code: number; msg: string; data: any }
  }
  const { data } = await ask(`/operator/do/${name}/preview`, input)
  const reply = await ask(`/operator/do/${name}`, { ...input, expects: data?.expects, reasonCode: 'customerAsked', reason: '' })
  expect([reply.code, reply.msg, reply.data?.state]).toEqual([200, reply.msg, 'done'])
}

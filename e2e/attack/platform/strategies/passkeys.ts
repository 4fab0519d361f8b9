import { softPasskey } from '#platform/testing/soft-passkey.ts'
import type { Answer, Client } from '../../../robots/people/client.ts'
import { isRefused, together } from '../intruder.ts'
import type { PlatformStrategy, Tools } from '../strategy.ts'

type Passkey = ReturnType<typeof softPasskey>
type Signed = Parameters<Passkey['sign']>[1]

const ask = async (client: Client): Promise<{ id: string; challenge: string }> => {
  const { data } = await client.post('/user/secondaryVerify/passkey')
  return { id: data.id, challenge: data.options.challenge }
}
const prove = (client: Client, id: string, credential: unknown): Promise<Answer> => client.post('/user/secondaryVerify', { passkey: { id, credential } })

/** Signs a challenge that was just asked for. */
async function answer(client: Client, key: Passkey, how?: Signed): Promise<Answer> {
  const { id, challenge } = await ask(client)
  return prove(client, id, key.sign(challenge, how))
}

async function enroll({ needs }: Tools, client: Client, key: Passkey): Promise<void> {
  const { data } = await client.post('/user/passkey/options')
  const added = await client.post('/user/passkey/add', { id: data.id, credential: key.register(data.options.challenge), name: 'mine' })
  needs('a passkey of its own', added.code === 200, added.msg)
}

/** Ten tries in a quarter of an hour: each part has accounts of its own. */
async function enrolling(tools: Tools): Promise<void> {
  const { must, needs } = tools
  const [owner, thief] = await Promise.all([tools.intruder(0), tools.intruder(0)])
  const key = softPasskey(tools.platform.product.siteUrl)
  const { data: first } = await owner.client.post('/user/passkey/options')
  const made = { id: first.id, credential: key.register(first.options.challenge), name: 'mine' }
  const adding = await together(6, () => owner.client.post('/user/passkey/add', made))
  needs('one passkey', adding.accepted.length > 0, adding.refused[0]?.msg)
  must('one registration sent six times at once is kept more than once', adding.accepted.length === 1, adding.accepted.length)
  const { data: other } = await thief.client.post('/user/passkey/options')
  const stolen = await thief.client.post('/user/passkey/add', { id: other.id, credential: key.register(other.options.challenge), name: 'yours' })
  must('another account registers the same passkey', isRefused(stolen))

  const session = await owner.again()
  must('a password proves instead of the passkey', isRefused(await session.post('/user/secondaryVerify', { password: owner.robot.person.password })))
  const { data: factors } = await session.get('/user/factors')
  must('a sign-in by password removes the passkey', isRefused(await session.post('/user/passkey/remove', { passkeyId: factors.passkeys[0].id })))
  must('a sign-in by password renews the recovery codes', isRefused(await session.post('/user/recovery/renew')))
  must('a sign-in by password adds another passkey', isRefused(await session.post('/user/passkey/options')))
}

async function replaying(tools: Tools): Promise<void> {
  const { must, needs } = tools
  const [owner, thief] = await Promise.all([tools.intruder(0), tools.intruder(0)])
  const [key, own] = [softPasskey(tools.platform.product.siteUrl), softPasskey(tools.platform.product.siteUrl)]
  await enroll(tools, owner.client, key)
  await enroll(tools, thief.client, own)
  const { data: forNew } = await owner.client.post('/user/passkey/options')
  const { id, challenge } = await ask(owner.client)
  const signed = key.sign(challenge)
  must('another account proves itself with my assertion', isRefused(await prove(thief.client, id, signed)))
  const theirs = await ask(thief.client)
  must('a challenge of another account is proved', isRefused(await prove(owner.client, theirs.id, key.sign(theirs.challenge))))
  must('a challenge given for a registration is proved', isRefused(await prove(owner.client, forNew.id, key.sign(forNew.options.challenge))))
  const fresh = await ask(owner.client)
  const once = key.sign(fresh.challenge)
  const sent = await together(4, () => prove(owner.client, fresh.id, once))
  needs('an honest assertion', sent.accepted.length > 0, sent.refused[0]?.msg)
  must('one assertion sent four times at once proves more than once', sent.accepted.length === 1, sent.accepted.length)
}

async function copying(tools: Tools): Promise<void> {
  const { must, needs } = tools
  const owner = await tools.intruder(0)
  const key = softPasskey(tools.platform.product.siteUrl)
  await enroll(tools, owner.client, key)
  must('an assertion made for another site', isRefused(await answer(owner.client, key, { at: 'https://mingxi.evil.test' })))
  must('an assertion by presence alone', isRefused(await answer(owner.client, key, { flags: 0x01 })))
  const honest = await answer(owner.client, key)
  needs('an honest assertion', honest.code === 200, honest.msg)
  owner.client.token = honest.data.token
  key.rewind()
  must('a copy of the key, whose counter is lower', isRefused(await answer(owner.client, key)))
  const { data: factors } = await owner.client.get('/user/factors')
  await owner.client.post('/user/passkey/remove', { passkeyId: factors.passkeys[0].id })
  must('a passkey that was removed is asked for', isRefused(await owner.client.post('/user/secondaryVerify/passkey')))
}

async function run(tools: Tools): Promise<void> {
  await enrolling(tools)
  await replaying(tools)
  await copying(tools)
}

export const PASSKEYS: readonly PlatformStrategy[] = [
  { name: 'passkeys', tries: 'assertions replayed, of another account, for another site, with a lower counter; a password in the place of a passkey', run },
]

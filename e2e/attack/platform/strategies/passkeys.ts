import { createSoftPasskey } from '#platform/testing/soft-passkey.ts'
import type { RobotReply, RobotClient } from '../../../robots/people/client.ts'
import { isRefusedReply, runTogether } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

type Passkey = ReturnType<typeof createSoftPasskey>
type SignOptions = Parameters<Passkey['sign']>[1]

const requestChallenge = async (client: RobotClient): Promise<{ id: string; challenge: string }> => {
  const { data } = await client.post('/user/secondaryVerify/passkey')
  return { id: data.id, challenge: data.options.challenge }
}
const submitCredential = (client: RobotClient, id: string, credential: unknown): Promise<RobotReply> =>
  client.post('/user/secondaryVerify', { passkey: { id, credential } })

/** Requests a challenge and signs it. */
async function answer(client: RobotClient, key: Passkey, how?: SignOptions): Promise<RobotReply> {
  const { id, challenge } = await requestChallenge(client)
  return submitCredential(client, id, key.sign(challenge, how))
}

async function enroll({ needs }: StrategyTools, client: RobotClient, key: Passkey): Promise<void> {
  const { data } = await client.post('/user/passkey/options')
  const added = await client.post('/user/passkey/add', { id: data.id, credential: key.register(data.options.challenge), name: 'mine' })
  needs('a passkey of its own', added.code === 200, added.msg)
}

/** The limit is ten tries in a quarter of an hour, so each part uses separate accounts. */
async function tryEnrollment(tools: StrategyTools): Promise<void> {
  const { must, needs } = tools
  const [owner, thief] = await Promise.all([tools.intruder(0), tools.intruder(0)])
  const key = createSoftPasskey(tools.platform.product.siteUrl)
  const { data: first } = await owner.client.post('/user/passkey/options')
  const made = { id: first.id, credential: key.register(first.options.challenge), name: 'mine' }
  const adding = await runTogether(6, () => owner.client.post('/user/passkey/add', made))
  needs('one passkey', adding.accepted.length > 0, adding.refused[0]?.msg)
  must('one registration sent six times at once is kept more than once', adding.accepted.length === 1, adding.accepted.length)
  const { data: other } = await thief.client.post('/user/passkey/options')
  const stolen = await thief.client.post('/user/passkey/add', { id: other.id, credential: key.register(other.options.challenge), name: 'yours' })
  must('another account registers the same passkey', isRefusedReply(stolen))

  const session = await owner.again()
  must('a password proves instead of the passkey', isRefusedReply(await session.post('/user/secondaryVerify', { password: owner.robot.person.password })))
  const { data: factors } = await session.get('/user/factors')
  must('a sign-in by password removes the passkey', isRefusedReply(await session.post('/user/passkey/remove', { passkeyId: factors.passkeys[0].id })))
  must('a sign-in by password renews the recovery codes', isRefusedReply(await session.post('/user/recovery/renew')))
  must('a sign-in by password adds another passkey', isRefusedReply(await session.post('/user/passkey/options')))
}

async function tryReplay(tools: StrategyTools): Promise<void> {
  const { must, needs } = tools
  const [owner, thief] = await Promise.all([tools.intruder(0), tools.intruder(0)])
  const [key, own] = [createSoftPasskey(tools.platform.product.siteUrl), createSoftPasskey(tools.platform.product.siteUrl)]
  await enroll(tools, owner.client, key)
  await enroll(tools, thief.client, own)
  const { data: forNew } = await owner.client.post('/user/passkey/options')
  const { id, challenge } = await requestChallenge(owner.client)
  const signed = key.sign(challenge)
  must('another account proves itself with my assertion', isRefusedReply(await submitCredential(thief.client, id, signed)))
  const theirs = await requestChallenge(thief.client)
  must('a challenge of another account is proved', isRefusedReply(await submitCredential(owner.client, theirs.id, key.sign(theirs.challenge))))
  must('a challenge given for a registration is proved', isRefusedReply(await submitCredential(owner.client, forNew.id, key.sign(forNew.options.challenge))))
  const fresh = await requestChallenge(owner.client)
  const once = key.sign(fresh.challenge)
  const sent = await runTogether(4, () => submitCredential(owner.client, fresh.id, once))
  needs('an honest assertion', sent.accepted.length > 0, sent.refused[0]?.msg)
  must('one assertion sent four times at once proves more than once', sent.accepted.length === 1, sent.accepted.length)
}

async function tryClonedKey(tools: StrategyTools): Promise<void> {
  const { must, needs } = tools
  const owner = await tools.intruder(0)
  const key = createSoftPasskey(tools.platform.product.siteUrl)
  await enroll(tools, owner.client, key)
  must('an assertion made for another site', isRefusedReply(await answer(owner.client, key, { at: 'https://mingxi.evil.test' })))
  must('an assertion by presence alone', isRefusedReply(await answer(owner.client, key, { flags: 0x01 })))
  const honest = await answer(owner.client, key)
  needs('an honest assertion', honest.code === 200, honest.msg)
  owner.client.token = honest.data.token
  key.rewind()
  must('a copy of the key, whose counter is lower', isRefusedReply(await answer(owner.client, key)))
  const { data: factors } = await owner.client.get('/user/factors')
  await owner.client.post('/user/passkey/remove', { passkeyId: factors.passkeys[0].id })
  must('a passkey that was removed is asked for', isRefusedReply(await owner.client.post('/user/secondaryVerify/passkey')))
}

async function run(tools: StrategyTools): Promise<void> {
  await tryEnrollment(tools)
  await tryReplay(tools)
  await tryClonedKey(tools)
}

export const PASSKEY_STRATEGIES: readonly PlatformStrategy[] = [
  { name: 'passkeys', tries: 'assertions replayed, of another account, for another site, with a lower counter; a password in the place of a passkey', run },
]

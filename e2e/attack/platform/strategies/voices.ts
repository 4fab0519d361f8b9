import { RTCPeerConnection } from 'werift'
import { waitForValue } from '#platform/testing/patience.ts'
import type { RobotReply, RobotClient } from '../../../robots/people/client.ts'
import { isRefusedReply, runTogether } from '../intruder.ts'
import type { PlatformStrategy, StrategyTools } from '../strategy.ts'

const CHATGPT_MONTH = 2
const MAX_MEMBERS = 4

/** SDP with a microphone and three audio lines to receive, as a browser offers them. */
async function createOffer(): Promise<{ sdp: string; close: () => Promise<void> }> {
  const connection = new RTCPeerConnection({ iceUseIpv6: false, bundlePolicy: 'max-bundle' })
  connection.addTransceiver('audio', { direction: 'sendonly' })
  for (let at = 0; at < MAX_MEMBERS - 1; at++) connection.addTransceiver('audio', { direction: 'recvonly' })
  await connection.setLocalDescription(await connection.createOffer())
  return { sdp: connection.localDescription!.sdp, close: () => connection.close() }
}

async function join(client: RobotClient, token: string, again?: string): Promise<RobotReply> {
  const { sdp, close } = await createOffer()
  try {
    return await client.post('/v1/tool/voice/join', { token, sdp, ...(again ? { again } : {}) })
  } finally {
    await close()
  }
}

/** The token with other claims: signed as before, unsigned, or signed with a guessed secret. */
function forgeTokens(token: string, change: (claims: any) => void): string[] {
  const [head, body, signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(body!, 'base64url').toString())
  change(claims)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const none = part({ alg: 'none', typ: 'JWT' })
  return [`${head}.${part(claims)}.${signature}`, `${none}.${part(claims)}.`, `${none}.${part(claims)}.${signature}`]
}

async function run({ intruder, must, needs, platform }: StrategyTools): Promise<void> {
  const [owner, rival, stranger] = await Promise.all([intruder(30), intruder(30), intruder(0)])
  const ask = (who: RobotClient, path: string) => who.get(`/v1/tool/openaiPlus/${path}`)
  must('a voice token without a subscription', isRefusedReply(await ask(stranger.client, 'livekitToken')))
  must('an invitation without a subscription', isRefusedReply(await ask(stranger.client, 'voiceInvite')))
  for (const one of [owner, rival]) {
    const { data, msg } = await one.client.post('/v1/tool/openaiPlus/applySharePlus', { packageId: CHATGPT_MONTH, inviteCode: '' })
    needs('a subscription', data?.pay !== undefined, msg)
    await one.pin()
    if (data.pay) await one.pay({ orderType: data.pay.orderType, amount: data.pay.amount, service: data.pay.service })
  }
  const tokenOf = (who: RobotClient) => waitForValue(async () => (await ask(who, 'livekitToken')).data?.token as string | undefined, 'a voice token', 300)
  const [token, theirs] = [await tokenOf(owner.client), await tokenOf(rival.client)]
  const room = JSON.parse(Buffer.from(theirs.split('.')[1]!, 'base64url').toString()).video.room as string
  for (const bad of [...forgeTokens(token, (claims) => (claims.video.room = room)), ...forgeTokens(token, (claims) => (claims.exp = 9e9)), 'x'.repeat(60)]) {
    must('a forged token looks into a room', isRefusedReply(await stranger.client.post('/v1/tool/voice/look', { token: bad })))
    must('a forged token comes into a room', isRefusedReply(await join(stranger.client, bad)))
  }
  const rush = await runTogether(10, () => join(stranger.client, token))
  needs('a room', rush.accepted.length > 0, rush.refused[0]?.msg)
  must('more are in a room than fit', rush.accepted.length <= MAX_MEMBERS, rush.accepted.length)
  const [first, second] = rush.accepted.map(({ data }) => data.secret as string)
  const seen = await stranger.client.post('/v1/tool/voice/room', { secret: first, muted: false })
  const ids = (seen.data.rowList as { id: string }[]).map(({ id }) => id)
  must('a room tells the secrets of others', !JSON.stringify(seen.data).includes(second ?? 'nothing'))
  for (const id of ids)
    must('an id is taken for a secret', isRefusedReply(await stranger.client.post('/v1/tool/voice/room', { secret: id.padEnd(24, 'A'), muted: true })))
  must('a secret of one room comes into another', isRefusedReply(await joinForeignRoom(rival.client, theirs, { secret: first!, room })))
  // the subscription expires
  await platform.product.db.query(
    `update services_tasks set expires_at = now() - interval '1 second', next_check_at = now() where user_id = $1 and service = 'flex'`,
    [owner.userId],
  )
  await waitForValue(async () => isRefusedReply(await ask(owner.client, 'livekitToken')) || undefined, 'the end of the subscription', 300)
  must('a token looks in after the end', isRefusedReply(await stranger.client.post('/v1/tool/voice/look', { token })))
  must('a token comes in after the end', isRefusedReply(await join(stranger.client, token)))
  must('a secret comes back in after the end', isRefusedReply(await join(stranger.client, 'y'.repeat(40), first)))
  const gone = await waitForValue(
    async () => {
      const { code } = await stranger.client.post('/v1/tool/voice/room', { secret: first, muted: false })
      return code === 200 ? undefined : code
    },
    'the room to close',
    500,
  )
  must('the room stays open after the end', gone !== 200)
}

/** Joins with the secret of another room: refused, or placed in the room that the token names. */
async function joinForeignRoom(client: RobotClient, token: string, { secret, room }: { readonly secret: string; readonly room: string }): Promise<RobotReply> {
  const reply = await join(client, token, secret)
  if (isRefusedReply(reply)) return reply
  const inside = await client.post('/v1/tool/voice/look', { token })
  // the guest was admitted to either room, but must not be in both
  const here = inside.data?.here as number
  return here <= 1 ? { ...reply, code: 0 } : { ...reply, msg: `${here} in ${room}` }
}

export const VOICE_STRATEGIES: readonly PlatformStrategy[] = [
  { name: 'voice-rooms', tries: 'in without paying, into the room of others, more than fit, ids for secrets, after the end', run },
]

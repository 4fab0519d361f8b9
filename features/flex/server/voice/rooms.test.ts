import { expect, test } from 'vitest'
import { createVoiceRooms } from './rooms.ts'

test('a line that opens after its room has closed is closed, too', async () => {
  const open = new Set<string>()
  let opened = () => {}
  const rooms = createVoiceRooms(
    {
      open: async (peer) => {
        await new Promise<void>((done) => (opened = done))
        open.add(peer)
        return 'answer'
      },
      close: (peer) => void open.delete(peer),
      connect: () => {},
      disconnect: () => {},
    },
    () => 0,
  )
  const joining = rooms.join('voice-1', { taskId: 'srv_1', who: 'owner', sdp: 'offer', limits: { people: 2, rooms: 1, until: 1000 } })
  rooms.close('voice-1')
  opened()
  await expect(joining).rejects.toMatchObject({ errorName: 'FLEX_VOICE_GONE' })
  expect([open.size, rooms.size()]).toEqual([0, 0])
})

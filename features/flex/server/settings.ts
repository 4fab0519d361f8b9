import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

const dollars = z.string().regex(/^\d{1,5}(\.\d{1,2})?$/)

export const codeDiscount = setting('flex.code_discount', dollars, {
  fallback: '2.00',
  about: 'Dollars that another one’s invitation code takes off a first subscription of a month or more',
})
export const trialsPerDay = setting('flex.trials_per_day', z.int().min(0).max(100_000), {
  fallback: 200,
  about: 'Trials given a day of Beijing in all: what trials can cost at most',
})
export const setUpMinutes = setting('flex.set_up_minutes', z.int().min(1).max(1440), {
  fallback: 30,
  about: 'Minutes after which a subscription that the supplier has not set up is given back',
})
export const byHandMinutes = setting('flex.by_hand_minutes', z.int().min(10).max(2880), { fallback: 720, about: 'The same where a person sets it up' })
export const hostDigits = setting('flex.host_digits', z.boolean(), {
  fallback: true,
  about: 'ChatGPT is opened at one of the ten numbered siblings of its host, where the address has a name below a domain',
})
export const comparedPrice = setting('flex.compared', z.object({ official: dollars, activation: dollars, messages: z.int().min(1) }), {
  fallback: { official: '20.00', activation: '10.00', messages: 40 },
  about: 'What a month costs at the makers themselves, what activating it costs, and its messages in three hours: for comparison',
})
export const sandboxFault = setting('flex.sandbox_fault', z.enum(['none', 'refused', 'slow', 'lost', 'double', 'down', 'text', 'late']), {
  fallback: 'none',
  about: 'How the sandbox supplier misbehaves: says no, takes its time, loses its answer, is heard twice, is down, answers in plain text, comes after the end',
})

export const voicePeople = setting('flex.voice_people', z.int().min(2).max(8), { fallback: 4, about: 'People in one voice room at most' })
export const voiceRooms = setting('flex.voice_rooms', z.int().min(0).max(500), { fallback: 40, about: 'Voice rooms at once in one process; 0 opens none' })
export const voiceMinutes = setting('flex.voice_minutes', z.int().min(1).max(1440), {
  fallback: 60,
  about: 'Minutes that a voice room lasts; its people may open it again',
})
export const voiceKbps = setting('flex.voice_kbps', z.int().min(16).max(510), {
  fallback: 96,
  about: 'Kilobits a second that one voice may send; more is not passed on',
})

export const flexSettings = [
  codeDiscount,
  trialsPerDay,
  setUpMinutes,
  byHandMinutes,
  hostDigits,
  comparedPrice,
  sandboxFault,
  voicePeople,
  voiceRooms,
  voiceMinutes,
  voiceKbps,
]

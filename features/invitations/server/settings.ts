import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

export const codeHours = setting('invitations.code_hours', z.int().min(0).max(720), {
  fallback: 24,
  about: 'Hours after registering in which the code one was invited with can be given',
})

export const SIGNALS = [
  'own_staff',
  'same_payer',
  'unknown_payer',
  'same_payout',
  'same_person',
  'same_device',
  'same_contact',
  'cycle',
  'same_network',
  'shared_network',
  'same_place',
  'same_keys',
  'disposable_mail',
  'virtual_mobile',
  'velocity',
  'refund_ratio',
  'no_use',
  'too_fast',
] as const
export type Signal = (typeof SIGNALS)[number]

const weight = z.int().min(0).max(1000)
export const signalWeights = setting(
  'invitations.signal_weights',
  z.object({ weights: z.partialRecord(z.enum(SIGNALS), weight), holdAt: weight, refuseAt: weight }),
  {
    fallback: {
      weights: {
        own_staff: 200,
        same_payer: 100,
        unknown_payer: 60,
        same_payout: 100,
        same_person: 100,
        same_device: 80,
        same_contact: 100,
        cycle: 100,
        same_network: 40,
        shared_network: 40,
        same_place: 40,
        same_keys: 40,
        disposable_mail: 40,
        velocity: 40,
        refund_ratio: 40,
        virtual_mobile: 30,
        no_use: 20,
        too_fast: 20,
      },
      holdAt: 60,
      refuseAt: 100,
    },
    about: 'What each sign of a made-up invitation weighs, and from which sum a reward waits for a person or is refused',
  },
)

export const disposableMails = setting('invitations.disposable_mails', z.array(z.string().regex(/^[a-z0-9.-]+$/)), {
  fallback: [
    'mailinator.com',
    'guerrillamail.com',
    '10minutemail.com',
    'temp-mail.org',
    'yopmail.com',
    'trashmail.com',
    'sharklasers.com',
    'getnada.com',
    'dispostable.com',
    'maildrop.cc',
  ],
  about: 'Domains of throw-away mailboxes',
})

export const virtualMobiles = setting('invitations.virtual_mobiles', z.array(z.string().regex(/^\+\d{3,8}$/)), {
  fallback: ['+86162', '+86165', '+86167', '+86170', '+86171'],
  about: 'Number ranges of virtual operators',
})

export const reviewDays = setting('invitations.review_days', z.int().min(1).max(30), { fallback: 2, about: 'Working days in which a review is decided' })

export const invitationSettings = [codeHours, signalWeights, disposableMails, virtualMobiles, reviewDays]

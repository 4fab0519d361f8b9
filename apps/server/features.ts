import type { Feature } from '#platform/server/feature.ts'
import { account } from '#features/account/server/index.ts'
import { createBackoffice } from '#features/backoffice/server/index.ts'
import { browser } from '#features/browser/server/index.ts'
import { cards } from '#features/cards/server/index.ts'
import { flex } from '#features/flex/server/index.ts'
import { gateway } from '#features/gateway/server/index.ts'
import { identity } from '#features/identity/server/index.ts'
import { invitations } from '#features/invitations/server/index.ts'
import { mailbox } from '#features/mailbox/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { numbers } from '#features/numbers/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { proxy } from '#features/proxy/server/index.ts'
import { registration } from '#features/registration/server/index.ts'
import { remote } from '#features/remote/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { services } from '#features/services/server/index.ts'
import { createSiteFeature } from '#features/site/server/index.ts'
import { support } from '#features/support/server/index.ts'
import { upgrade } from '#features/upgrade/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'

/** One line per feature. */
const parts: readonly Feature[] = [
  account,
  browser,
  cards,
  flex,
  gateway,
  identity,
  invitations,
  mailbox,
  notices,
  numbers,
  payments,
  proxy,
  registration,
  remote,
  risk,
  services,
  support,
  upgrade,
  wallet,
]

const product: readonly Feature[] = [...parts, createSiteFeature(parts)]

export const features: readonly Feature[] = [...product, createBackoffice(product)]

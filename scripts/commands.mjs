/**
 * Programs of an installation's commands, for `npm run NAME` in a checkout and `mingxi NAME` in a release.
 * @type {Readonly<Record<string, string>>}
 */
export const commands = {
  'operate': 'apps/server/operate/operate-command.ts',
  'operators:first': 'apps/server/first-owner-command.ts',
  'wallet:verify': 'features/wallet/server/verify-command.ts',
  'secrets:reseal': 'apps/server/reseal-command.ts',
  'gateway:compare': 'features/gateway/server/books/compare-command.ts',
  'gateway:sums': 'features/gateway/server/usage/sums-command.ts',
}

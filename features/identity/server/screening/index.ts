import type { Deps } from '#platform/server/feature.ts'
import { sanctions } from '../settings.ts'
import type { Screened, Screening } from './port.ts'

const bare = (text: string) => text.toUpperCase().replace(/[^\p{L}]/gu, '')

/** The operator's own list. Another one takes its place here. */
export function screeningOf({ settings }: Pick<Deps, 'settings'>): Screening {
  return { isListed: async (person) => isOn(await settings.get(sanctions), person) }
}

/** A listed birthday narrows it down; without one the name alone counts. Names count in either order. */
export function isOn(list: readonly { readonly name: string; readonly birthDate?: string | undefined }[], person: Screened): boolean {
  const names = new Set([person.chineseName, `${person.lastName}${person.firstName}`, `${person.firstName}${person.lastName}`].map(bare).filter(Boolean))
  return list.some(({ name, birthDate }) => names.has(bare(name)) && (!birthDate || birthDate === person.birthDate))
}

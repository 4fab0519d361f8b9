import type { Deps } from '#platform/server/feature.ts'
import { sanctions } from '../settings.ts'
import type { ScreenedPerson, Screening } from './port.ts'

const normalize = (text: string) => text.toUpperCase().replace(/[^\p{L}]/gu, '')

/** The operator's own list. Another one takes its place here. */
export function createScreening({ settings }: Pick<Deps, 'settings'>): Screening {
  return { isListed: async (person) => isOnList(await settings.get(sanctions), person) }
}

/** A listed birthday narrows it down; without one the name alone counts. Names count in either order. */
export function isOnList(list: readonly { readonly name: string; readonly birthDate?: string | undefined }[], person: ScreenedPerson): boolean {
  const names = new Set([person.chineseName, `${person.lastName}${person.firstName}`, `${person.firstName}${person.lastName}`].map(normalize).filter(Boolean))
  return list.some(({ name, birthDate }) => names.has(normalize(name)) && (!birthDate || birthDate === person.birthDate))
}

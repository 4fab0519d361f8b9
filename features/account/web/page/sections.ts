import { Bell, Database, FileText, History, MonitorSmartphone, Palette, ShieldCheck, UserRound } from 'lucide-react'

/** The parts of /account, in its order; each has an address: /account?section=security. */
export const SECTIONS = [
  { id: 'profile', Icon: UserRound },
  { id: 'security', Icon: ShieldCheck },
  { id: 'sessions', Icon: MonitorSmartphone },
  { id: 'history', Icon: History },
  { id: 'look', Icon: Palette },
  { id: 'invoice', Icon: FileText },
  { id: 'mails', Icon: Bell },
  { id: 'data', Icon: Database },
] as const
export type SectionId = (typeof SECTIONS)[number]['id']

export function parseSectionId(text: string | undefined): SectionId | undefined {
  return SECTIONS.find((section) => section.id === text)?.id
}

export const ANNOUNCEMENTS_STATE_TEXT = { planned: 'state_planned', over: 'state_over', takenBack: 'state_takenBack', shown: 'state_shown' } as const

export const ALARMS_SEVERITY_TEXT = { minor: 'severity_minor', serious: 'severity_serious', critical: 'severity_critical' } as const

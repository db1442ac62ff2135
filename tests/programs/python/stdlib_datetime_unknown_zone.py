from zoneinfo import ZoneInfo

ZoneInfo("Mars/Base")

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

moment = datetime(2024, 7, 1, 12, tzinfo=UTC)
print(moment.astimezone(ZoneInfo("Europe/Paris")).isoformat(), moment.astimezone(ZoneInfo("Asia/Tokyo")))
print(date(2024, 2, 29).isocalendar(), (date(2024, 3, 1) - date(2024, 2, 1)).days)
print(datetime.strptime("03/04/2024 05:06", "%d/%m/%Y %H:%M").strftime("%A %d %B %Y"))
print(timedelta(days=1, seconds=3661), datetime.fromisoformat("2024-01-02T03:04:05+02:00").timestamp())
print(datetime.now().year >= 2024)

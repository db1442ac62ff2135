import logging

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
log = logging.getLogger("app")
log.debug("not shown")
log.info("started with %d items", 3)
try:
    1 / 0
except ZeroDivisionError:
    log.exception("it failed")

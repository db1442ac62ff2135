import configparser
import html
import tomllib
import urllib.parse
import xml.etree.ElementTree as ET

print(tomllib.loads('[a]\nb = [1, 2]\nc = 2024-01-02\n'))
config = configparser.ConfigParser()
config.read_string("[server]\nport = 80\n")
print(config.getint("server", "port"), html.escape("<a & b>"), urllib.parse.urlencode({"q": "a b", "n": 1}))
root = ET.fromstring("<list><item id='1'>one</item><item id='2'/></list>")
print([item.get("id") for item in root.iter("item")], urllib.parse.urlparse("https://a.b/c?d=e#f").query)
tomllib.loads("a = [1, 2")

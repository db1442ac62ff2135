from gg.files import read_txt_file
